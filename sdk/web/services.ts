import { createToken } from '../shared/index.ts';
import type { ColumnEntity, ProjectEntity, RowKey, TableEntity, ViewEntity } from '../shared/index.ts';

/** Dialogs around tables and columns, provided by `sys-tables`. @public */
export interface TableDialogs {
  createTable(project: ProjectEntity): void;
  /** Adds a column, or edits one; `anchor` places the panel. */
  openColumnPanel(options: {
    readonly table: TableEntity;
    readonly column?: ColumnEntity;
    readonly anchor?: HTMLElement;
    /** Where a new one goes: before this column in the view's order. */
    readonly beforeColumnId?: string;
    readonly view?: ViewEntity;
  }): void;
}
/** Dialogs around tables and columns. @public */
export const TableDialogsToken = createToken<TableDialogs>('web.table-dialogs');

/** The row panel, provided by `sys-rows`. @public */
export interface RowPanel {
  open(options: {
    readonly project: ProjectEntity;
    readonly table: TableEntity;
    readonly view?: ViewEntity;
    readonly rowKey: RowKey;
    /** The key before or after a row in the order of the view, as far as it is loaded; for previous and next. */
    readonly neighbour?: (from: RowKey, step: 1 | -1) => RowKey | undefined;
  }): void;
}
/** The row panel. @public */
export const RowPanelToken = createToken<RowPanel>('web.row-panel');
