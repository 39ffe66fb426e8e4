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
  /** Of the first row that is shown. */
  readonly firstNumber: number;
  /** The rows that were meant when it was opened. */
  readonly meant: readonly RowKey[];
  /** The row as it was then: it may go out of sight, and what is offered for it stays under the pointer. */
  readonly row: RowData | undefined;
  readonly onClose: () => void;
}

/** The menu of a row, wherever others move it meanwhile: ours, and below what plugins add. It closes once the row is deleted. */
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
