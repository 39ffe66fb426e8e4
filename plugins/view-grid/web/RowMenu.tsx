import { rowActions, useHost, useRegistry, type RowContext, type ViewProps } from '@trellis/sdk/web';
import type { GridMenuRequest, GridSelectionReport } from '@trellis/sdk/web/grid';
import { type RowSource, titledRow } from '@trellis/sdk/web/rows';
import { ActionMenu } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';
import { rowDeletion, rowMenu, rowsMeantAt } from './row-menu.ts';
import type { RowCommands } from './use-row-commands.ts';

interface RowMenuProps extends ViewProps {
  readonly menu: Exclude<GridMenuRequest, { readonly kind: 'column' }>;
  readonly source: RowSource;
  readonly commands: RowCommands;
  /** Of the first row that is shown. */
  readonly firstNumber: number;
  readonly selection: GridSelectionReport;
  readonly onClose: () => void;
}

/** The menu of a row: ours, and below what plugins add. */
export function RowMenu(props: RowMenuProps): ReactNode {
  const { project, table, view, readOnly, menu, source, commands, firstNumber, selection, onClose } = props;
  const host = useHost();
  const items = useRegistry('cellActions');
  const { rowKey, index, x, y } = menu;
  const { columns = [] } = table;
  const row = source.rowAt(index);
  const column = menu.kind === 'cell' ? columns.find(({ id }) => id === menu.columnId) : undefined;
  const context: RowContext | undefined = row && {
    project,
    table,
    view,
    rowKey,
    row: titledRow(row.values, columns),
    column,
  };
  const meant = rowsMeantAt(rowKey, index, selection, source);
  const actions = [
    ...rowMenu({ rowKey, index, meant, commands, readOnly, t: host.t }),
    ...(context ? rowActions(host, items, context) : []),
    ...(readOnly || !commands.rights.delete ? [] : [rowDeletion({ meant, commands, t: host.t })]),
  ];
  if (actions.length === 0) return null;
  const label = host.t('Row {{n}}', { n: index + firstNumber });
  return <ActionMenu label={label} x={x} y={y} actions={actions} onClose={onClose} />;
}
