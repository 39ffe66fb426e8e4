import type { ColumnEntity } from '@trellis/sdk/shared';
import { hasPermission, messageOfError, useHost, type ViewProps } from '@trellis/sdk/web';
import { useSaveViewOptions, useShownUntilRead, useViewOptions } from '@trellis/sdk/web/views';
import { useState } from 'react';
import type { KanbanOptions, StackArrangement, StackPlace } from '../shared/index.ts';

/** Whether the person may arrange the view for everybody. */
function mayArrange({ project, view, readOnly }: ViewProps): boolean {
  return !readOnly && view.lock_type !== 'locked' && hasPermission('viewArrange', project);
}

interface Arranged {
  readonly places: readonly StackPlace[];
  /** The view's options as the person saw them. */
  readonly before: Readonly<Record<string, unknown>>;
}

/** The arrangement of a view's stacks. A person who may not change the view arranges them for themselves, until they leave it. */
export function useArrangedStacks(props: ViewProps, column: ColumnEntity) {
  const { view } = props;
  const host = useHost();
  const options = useViewOptions(view);
  const save = useSaveViewOptions(view);
  const [own, setOwn] = useState<readonly StackPlace[]>();
  const isOf = ({ columnId }: StackArrangement) => columnId === column.id;
  const saved = (options as KanbanOptions).arrangements.find(isOf)?.stacks ?? [];
  const isMine = mayArrange(props);
  const chosen = useShownUntilRead(options, ({ places, before }: Arranged) => {
    const stacks = places.map(({ id, collapsed, hidden }) => ({
      id,
      ...(collapsed === true && { collapsed }),
      ...(hidden === true && { hidden }),
    }));
    const arranged = (now: Readonly<Record<string, unknown>>) => {
      // A view remembers the arrangements of ten columns; the last one used stays.
      const others = (now as KanbanOptions).arrangements.filter((each) => !isOf(each)).slice(-9);
      return { ...now, arrangements: [...others, { columnId: column.id, stacks }] };
    };
    return save(arranged, before);
  });

  return {
    places: (isMine ? chosen.shown?.places : own) ?? saved,
    /** As stored in the view. */
    saved,
    async arrange(places: readonly StackPlace[]): Promise<void> {
      if (!isMine) return setOwn(places);
      try {
        await chosen.save({ places, before: options });
      } catch (error) {
        host.toast({ severity: 'error', summary: messageOfError(error, host.t) });
      }
    },
  };
}
