import type { ProjectEntity, TableEntity } from '../../shared/index.ts';
import type {
  CellChange,
  CellEdits,
  CellFailure,
  EditStep,
  RowData,
  RowPlace,
  RowSource,
  StepPreparation,
} from '../rows/index.ts';
import type { RowColor } from '../extensions/index.ts';
import type { CellMark } from './cells-in-sight.ts';
import type { GridColumn } from './grid-column.ts';
import type { Translate } from '../context.ts';
import type { AddedColumns, WiderBlock } from '../services.ts';
import type { GridCommand } from './grid-keyboard.ts';
import type { ReactNode } from 'react';

/** Where the active cell goes when an edit is done: `right` and `left` in reading order. @public */
export type GridMove = 'stay' | 'down' | 'up' | 'right' | 'left';

/** What the pointer was on when the user asked for a menu. Coordinates are of the browser window. @public */
export type GridMenuRequest =
  | {
      readonly kind: 'cell';
      readonly rowKey: string;
      readonly index: number;
      readonly columnId: string;
      readonly x: number;
      readonly y: number;
    }
  | {
      readonly kind: 'row';
      readonly rowKey: string;
      readonly index: number;
      readonly x: number;
      readonly y: number;
    }
  | { readonly kind: 'column'; readonly columnId: string; readonly x: number; readonly y: number };

/** The line above the rows of a group. @public */
export interface GridHead {
  readonly key: string;
  /** The row that it stands before, or how many rows there are for the end. */
  readonly before: number;
  /** 0 for groups that lie in no other. */
  readonly level: number;
  readonly isCollapsed: boolean;
  /** What the rows have in common, in words. */
  readonly group: string;
  /** The title of the column that they have it in. */
  readonly title: string;
  /** What they have in common, as it is drawn. */
  readonly value: ReactNode;
  /** How many rows the group has, in words. */
  readonly count: string;
  /** Figures over the rows of the group, by column id. */
  readonly figures?: ReadonlyMap<string, string>;
}

/** A figure over all rows. @public */
export interface GridFigure {
  readonly name: string;
  readonly text: string;
}

/** What stands under the grid. @public */
export interface GridFooterProps {
  /** By column id. */
  readonly figures: ReadonlyMap<string, GridFigure> | undefined;
  /** What there is to say of all rows, at the start. */
  readonly children: ReactNode;
}

/** What is selected, for panels beside the grid. Rows are indices, `bottom` inclusive. @public */
export interface GridSelectionReport {
  readonly active:
    { readonly index: number; readonly rowKey: string | undefined; readonly columnId: string } | undefined;
  readonly range:
    { readonly top: number; readonly bottom: number; readonly columnIds: readonly string[] } | undefined;
  readonly rowKeys: readonly string[];
}

/** What was entered into a cell and not taken. @public */
export interface UnsavedCell {
  /** The title of its column. */
  readonly title: string;
  readonly text: string;
  /** Why it was not taken. */
  readonly message: string;
}

/** The key of a row that was added; nothing where nobody can tell. @public */
export type AppendedRow = Promise<string | undefined> | undefined | void;

/** What the grid asks of the page around it. What is left out is not offered to the user. @public */
export interface GridHandlers {
  /**
   * Writes cells. Resolves when they are stored and the source shows them, with those that were refused;
   * a rejection means that none was written. What is written of one step is taken back together.
   */
  readonly onCommitCells?: (
    changes: readonly CellChange[],
    step: EditStep,
  ) => Promise<readonly CellFailure[]>;
  /** Adds rows for what was pasted past the last one; resolves with their keys in the same order once the source shows them. */
  readonly onPasteRows?: (
    rows: readonly Readonly<Record<string, unknown>>[],
    step: EditStep,
  ) => Promise<readonly string[]>;
  /**
   * Adds columns for what is pasted beyond the last one; resolves to undefined where that is to be left out, and to `cancelled` where
   * nothing is to be pasted. Never rejects.
   */
  readonly onAddColumns?: (block: WiderBlock) => Promise<AddedColumns | 'cancelled' | undefined>;
  /** Hears what was changed around the rows for a step that is about to be written, so that it is taken back with the step. */
  readonly onStepPrepared?: (step: EditStep, preparation: StepPreparation) => void;
  /**
   * Adds a row, where rows are grouped to the group of the row `beside`. Resolves with its key once the source holds it, so that
   * the grid selects it and takes what was typed meanwhile; with undefined where the person fills it in elsewhere. Once `isAwaited`
   * says false the person has gone elsewhere and is not to be led to the row.
   */
  readonly onAppendRow?: (beside?: number, isAwaited?: () => boolean) => AppendedRow;
  /** As `onAppendRow`, for a row that is to stand right before or behind the one at an index. */
  readonly onInsertRow?: (beside: number, side: RowPlace['side'], isAwaited: () => boolean) => AppendedRow;
  /** Puts rows beside another one, in this order. */
  readonly onMoveRows?: (keys: readonly string[], place: RowPlace) => void;
  readonly onInsertColumn?: (anchor: HTMLElement) => void;
  readonly onColumnMenu?: (columnId: string, anchor: HTMLElement) => void;
  readonly onContextMenu?: (request: GridMenuRequest) => void;
  /**
   * Gives a column the title that was typed over its old one. Its field stays open until the promise resolves, and with what was typed
   * when it rejects.
   */
  readonly onRenameColumn?: (columnId: string, title: string) => Promise<void>;
  readonly onResizeColumn?: (columnId: string, width: number) => void;
  /** `beforeId` undefined: to the end. */
  readonly onReorderColumn?: (columnId: string, beforeId: string | undefined) => void;
  readonly onDeleteRows?: (keys: readonly string[]) => void;
  /** The grid went away with cells that were not taken: nobody sees them any more. */
  readonly onUnsaved?: (cells: readonly UnsavedCell[]) => void;
  readonly onOpenRow?: (key: string) => void;
  readonly onToggleGroup?: (key: string) => void;
  /** As `onAppendRow`, with what the rows of a group have in common. */
  readonly onAppendToGroup?: (key: string, isAwaited?: () => boolean) => AppendedRow;
  /** Asks which figure a column has under it. */
  readonly onFigureMenu?: (columnId: string, anchor: HTMLElement) => void;
  readonly onUndo?: () => void;
  readonly onRedo?: () => void;
  readonly onSelectionChange?: (selection: GridSelectionReport) => void;
  /** What a person can do when the rows could not be loaded, beside trying again. */
  readonly wayOut?: (error: Error) => { readonly label: string; readonly run: () => void } | undefined;
  /** A cell's component threw; the grid shows a mark in its place and goes on. */
  readonly onCellError?: (columnId: string, error: Error) => void;
}

/** What the grid is drawn from. @public */
export interface GridProps extends GridHandlers {
  /** Read by assistive technology as the name of the grid. */
  readonly label: string;
  readonly columns: readonly GridColumn[];
  /** What editors of cells are told of: where the rows belong. */
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly source: RowSource;
  /** Edits on their way, where somebody else shows them too; the grid's own when left out. */
  readonly edits?: CellEdits;
  readonly readOnly?: boolean;
  /** Lines between the rows, in the order in which they stand. */
  readonly heads?: readonly GridHead[];
  readonly footer?: GridFooterProps;
  /** Frames around cells, by row key: where other people are. */
  readonly marks?: ReadonlyMap<string, readonly CellMark[]>;
  /** The colour of a row; none where left out. */
  readonly colorOf?: (row: RowData) => RowColor | undefined;
  /** Pixels; 34 when left out. In taller rows texts wrap over the lines that fit, and cells may grow: see `--tr-cell-height` of column types. */
  readonly rowHeight?: number;
  /** The number of the first row, where rows before it are not among those of the source; 1 when left out. */
  readonly firstNumber?: number;
  /** True where more rows stand behind the last one of the source, such as on another page. */
  readonly goesOn?: boolean;
  readonly t?: Translate;
  /** What to say when there are no rows, where it is not simply that none were added. */
  readonly emptyText?: string;
  /** What the person can do about it, beside adding a row. */
  readonly emptyAction?: { readonly label: string; readonly run: () => void } | undefined;
}

/** What the page around the grid can ask of it. @public */
export interface GridHandle {
  focus(): void;
  /** Does what a key does, such as those of `gridShortcuts`; false where there is nothing to do it with. */
  perform(command: GridCommand): boolean;
  selectCell(index: number, columnId: string): void;
  /**
   * Scrolls a column into sight and selects its cell in the row where the person is, in the first one where they are in none. The
   * focus stays where it is.
   */
  goToColumn(columnId: string): void;
  clearRowSelection(): void;
  /** Shows the first row, and leaves the selection and the focus where they are. */
  scrollToTop(): void;
  /** Lets the person type another title over that of a column. */
  renameColumn(columnId: string): void;
}
