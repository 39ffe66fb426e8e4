import type { ComponentType } from 'react';
import type { RowPlace, RowsClient, RowValues, StepPreparation } from './rows/index.ts';
import { createToken } from '../shared/index.ts';
import type { ColumnEntity, ProjectEntity, RowKey, TableEntity, ViewEntity } from '../shared/index.ts';

/** Texts that are pasted beyond the last column of a table. @public */
export interface WiderBlock {
  /** All rows of the block, as texts. */
  readonly rows: readonly (readonly string[])[];
  /** How many texts of each row have a column already. */
  readonly from: number;
  /** True where the first row may hold names: the table has no rows yet. */
  readonly mayBeNamed: boolean;
}

/** Columns that were added for pasted texts. @public */
export interface AddedColumns {
  /** Their ids, in the order of the texts. The table that is drawn may not have them yet. */
  readonly columnIds: readonly string[];
  /** True where the first row gave them their names, and is not to be pasted as a row. */
  readonly isNamed: boolean;
  /** How they go and come back with the paste. */
  readonly made: StepPreparation;
}

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
    /** A column was added: its id. The table that is drawn may not have it yet. */
    readonly onAdded?: (columnId: string) => void;
  }): void;
  /**
   * Asks whether columns are to be added for pasted texts that have no place, and adds them: each of the type that its texts fit
   * best. Resolves to undefined where the person leaves them out, and to `cancelled` where they want nothing pasted at all.
   */
  addColumnsFor(options: {
    readonly project: ProjectEntity;
    readonly table: TableEntity;
    readonly view?: ViewEntity;
    readonly block: WiderBlock;
  }): Promise<AddedColumns | 'cancelled' | undefined>;
}
/** Dialogs around tables and columns. @public */
export const TableDialogsToken = createToken<TableDialogs>('web.table-dialogs');

/** A row that is shown by itself. @public */
export interface OpenedRow {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly view?: ViewEntity;
  /** Undefined for a row that is yet to be added: what is filled in adds it. */
  readonly rowKey: RowKey | undefined;
  /** Where a row stands that is yet to be added; behind all others where this is left out. */
  readonly place?: RowPlace;
  /** What a row that is yet to be added begins with, by column id: what was typed before it was clear that more is needed. */
  readonly values?: RowValues;
  /** True where the place in which the row was begun gave those values, such as a day: leaving them as they are loses nothing. */
  readonly areDefaults?: boolean;
  /** Where the row was opened from: for previous and next, and so that the panel's writes are shown and taken back there. */
  readonly rows?: RowsClient;
  /** Opens it over the row that is open, with a way back to that. */
  readonly isDeeper?: boolean;
  /** The id of the table on whose page it is opened, where the row is of another one. */
  readonly openedFrom?: string;
  /** The panel was closed; this is the row that it showed last. Focus goes back by itself where this is left out. */
  readonly onClosed?: (rowKey: RowKey) => void;
  /** A row was added; it stands at this index of `rows`. */
  readonly onAdded?: (index: number) => void;
}

/** A row for whoever has the link of a view. @public */
export interface RowReaderProps {
  readonly table: TableEntity;
  readonly view: ViewEntity;
  readonly rowKey: RowKey;
  /** What is shown of the row, and its neighbours: nothing else is asked for. */
  readonly rows: RowsClient;
  /** Called with the key of the row to go to. */
  onMove(this: void, rowKey: RowKey): void;
  onClose(this: void): void;
}

/** The row panel, provided by `sys-rows`. @public */
export interface RowPanel {
  open(row: OpenedRow): void;
  /** Draws a row for visitors, where the page of the link wants it; they open none where it is left out. */
  readonly Reader?: ComponentType<RowReaderProps>;
}
/** The row panel. @public */
export const RowPanelToken = createToken<RowPanel>('web.row-panel');
