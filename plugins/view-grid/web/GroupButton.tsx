import type { SortKey } from '@trellis/sdk/shared';
import { messageOfError, useHost, useRegistry, useT, type ViewProps } from '@trellis/sdk/web';
import { PopoverButton } from '@trellis/sdk/web/ui';
import { columnsAsked, GroupEditor, OwnPart, useLockReason } from '@trellis/sdk/web/views';
import { useLayoutEffect, useRef, useState } from 'react';
import { proposedGrouping, useGridOptions } from './grid-options.ts';

/** Chooses the columns by which the grid's rows are grouped. */
export function GroupButton(props: ViewProps) {
  const t = useT();
  const { groups } = useGridOptions(props);
  return (
    <PopoverButton icon="list" label={t('Group')} count={groups.length}>
      {() => <GroupPanel {...props} />}
    </PopoverButton>
  );
}

function GroupPanel(props: ViewProps) {
  const { table, view } = props;
  const { t, toast } = useHost();
  const types = useRegistry('columnTypes');
  const { groups, own, save } = useGridOptions(props);
  const [chosen, setChosen] = useState<{ readonly over: unknown; readonly groups: readonly SortKey[] }>();
  const [savings, setSavings] = useState(0);
  const now = useRef(view);
  useLayoutEffect(() => {
    now.current = view;
  });
  // The choice is shown at once, until all of it is saved and the view is read again.
  const shown = chosen !== undefined && (savings > 0 || chosen.over === view) ? chosen.groups : groups;
  const locked = useLockReason(props);
  const settle = (next: readonly SortKey[], kept: typeof chosen): void => {
    setSavings((count) => count - 1);
    setChosen((of) => (of?.groups === next ? kept : of));
  };
  async function change(next: readonly SortKey[]): Promise<void> {
    setChosen({ over: view, groups: next });
    setSavings((count) => count + 1);
    try {
      await save(next);
      settle(next, { over: now.current, groups: next });
    } catch (error) {
      settle(next, undefined);
      toast({
        severity: 'error',
        summary: t('The view could not be changed'),
        detail: messageOfError(error, t),
      });
    }
  }
  const editor = (
    <GroupEditor
      columns={columnsAsked(table.columns ?? [], types)}
      propose={proposedGrouping}
      value={own === undefined ? shown : groups}
      readOnly={own === undefined && locked !== undefined}
      emptyText={t('Rows with the same value in a column stand together under a heading.')}
      onChange={own === undefined ? (next) => void change(next) : (next) => own.change({ groups: next })}
    />
  );
  if (own !== undefined)
    return (
      <OwnPart view={view} isSet={own.groups !== undefined} onReset={() => own.change({ groups: undefined })}>
        {editor}
      </OwnPart>
    );
  return (
    <div className="views-list">
      {locked !== undefined && <p className="tr-note">{locked}</p>}
      {editor}
    </div>
  );
}
