import type { ColumnEntity } from '@trellis/sdk/shared';
import { hasPermission, messageOfError, useHost, type ViewProps } from '@trellis/sdk/web';
import { useSaveViewOptions, useViewOptions } from '@trellis/sdk/web/views';
import { useState } from 'react';
import type { KanbanOptions, StackArrangement, StackPlace } from '../shared/index.ts';

/** Whether the person may arrange the view for everybody. */
function mayArrange({ project, view, readOnly }: ViewProps): boolean {
  return !readOnly && view.lock_type !== 'locked' && hasPermission('viewArrange', project);
}

/** How the view arranges its stacks. Whoever may not change the view arranges them for themselves, until they leave it. */
export function useArrangedStacks(props: ViewProps, column: ColumnEntity) {
  const { view } = props;
  const host = useHost();
  const options = useViewOptions(view);
  const save = useSaveViewOptions(view);
  const [chosen, setChosen] = useState<{ readonly over: object; readonly places: readonly StackPlace[] }>();
  const [savings, setSavings] = useState(0);
  const isOf = ({ columnId }: StackArrangement) => columnId === column.id;
  const saved = (options as KanbanOptions).arrangements.find(isOf)?.stacks ?? [];
  const isMine = mayArrange(props);
  const isShown = chosen !== undefined && (chosen.over === options || savings > 0 || !isMine);

  async function send(places: readonly StackPlace[]): Promise<void> {
    const stacks = places.map(({ id, collapsed, hidden }) => ({
      id,
      ...(collapsed === true && { collapsed }),
      ...(hidden === true && { hidden }),
    }));
    const arranged = (now: Readonly<Record<string, unknown>>) => {
      // The views of a table remember few columns: the one that was stacked last stays.
      const others = (now as KanbanOptions).arrangements.filter((each) => !isOf(each)).slice(-9);
      return { ...now, arrangements: [...others, { columnId: column.id, stacks }] };
    };
    try {
      await save(arranged, options);
    } catch (error) {
      setChosen(undefined);
      host.toast({ severity: 'error', summary: messageOfError(error, host.t) });
    }
    setSavings((count) => count - 1);
  }

  return {
    places: isShown ? chosen.places : saved,
    /** As the view itself has them. */
    saved,
    async arrange(places: readonly StackPlace[]): Promise<void> {
      setChosen({ over: options, places });
      if (!isMine) return;
      setSavings((count) => count + 1);
      await send(places);
    },
  };
}
