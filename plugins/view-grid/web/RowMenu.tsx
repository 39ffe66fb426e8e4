import type { RowKey } from '@trellis/sdk/shared';
import { rowActions, useHost, useRegistry, type RowContext, type ViewProps } from '@trellis/sdk/web';
import type { GridMenuRequest } from '@trellis/sdk/web/grid';
import { type RowData, type RowSource, titledRow } from '@trellis/sdk/web/rows';
import { ActionMenu } from '@trellis/sdk/web/ui';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { rowDeletion, rowMenu } from './row-menu.ts';
import type { RowCommands } from './use-row-commands.ts';

interface RowMenuProps extends ViewProps {
  readonly menu: Exclude<GridMenuRequest, { readonly kind: 'column' }>;
  readonly source: RowSource;
  readonly commands: RowCommands;
  /** The number of the first shown row. */
  readonly firstNumber: number;
  /** The rows that were meant at its opening. */
  readonly meant: readonly RowKey[];
  /** The row at the menu's opening: it may scroll out of sight, but the entries must not change under the pointer. */
  readonly row: RowData | undefined;
  readonly onClose: () => void;
}

/**
 * A row's menu, which stays open while others move the row: the grid's entries, then those of plugins. It closes when the row is
 * deleted.
 */
export function RowMenu(props: RowMenuProps): ReactNode {
  const { project, table, view, readOnly, menu, source, commands, firstNumber, onClose } = props;
  const host = useHost();
  const items = useRegistry('cellActions');
  const { rowKey, x, y } = menu;
  const { columns = [] } = table;
  useSyncExternalStore(source.subscribe, () => source.version);
  const isGone = source.wasDeleted(rowKey);
  useEffect(() => {
    if (isGone) onClose();
  }, [isGone, onClose]);
  const index = source.indexOf(rowKey);
  const row = (index === undefined ? undefined : source.rowAt(index)) ?? props.row;
  const column = menu.kind === 'cell' ? columns.find(({ id }) => id === menu.columnId) : undefined;
  const context: RowContext | undefined = row && {
    project,
    table,
    view,
    rowKey,
    row: titledRow(row.values, columns),
    column,
  };
  const meant = props.meant.filter((key) => !source.wasDeleted(key));
  const actions = [
    ...rowMenu({ rowKey, meant, commands, readOnly, t: host.t }),
    ...(context ? rowActions(host, items, context) : []),
    ...(readOnly || !commands.rights.delete ? [] : [rowDeletion({ meant, commands, t: host.t })]),
  ];
  if (actions.length === 0) return null;
  const label = host.t('Row {{n}}', { n: (index ?? menu.index) + firstNumber });
  return <ActionMenu label={label} x={x} y={y} actions={actions} onClose={onClose} />;
}
