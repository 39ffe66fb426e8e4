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

/** Where the active cell moves after an edit: `right` and `left` in reading order. @public */
export type GridMove = 'stay' | 'down' | 'up' | 'right' | 'left';

/** What was under the pointer when the user requested a menu. Coordinates are those of the browser window. @public */
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

/** The heading of a group. @public */
export interface GridHead {
  readonly key: string;
  /** The index of the row after it, or the number of rows for the end. */
  readonly before: number;
  /** 0 for top-level groups. */
  readonly level: number;
  readonly isCollapsed: boolean;
  /** The common value of its rows, as text. */
  readonly group: string;
  /** The title of the grouping column. */
  readonly title: string;
  /** The common value, as drawn. */
  readonly value: ReactNode;
  /** The number of rows, as text. */
  readonly count: string;
  /** Aggregations over the rows of the group, by column id. */
  readonly figures?: ReadonlyMap<string, string>;
}

/** An aggregation over all rows. @public */
export interface GridFigure {
  readonly name: string;
  readonly text: string;
}

/** The content of the bar under the grid. @public */
export interface GridFooterProps {
  /** By column id. */
  readonly figures: ReadonlyMap<string, GridFigure> | undefined;
  /** Information about all rows, at the start. */
  readonly children: ReactNode;
}

/** The selection, for panels beside the grid. Rows are indexes, `bottom` inclusive. @public */
export interface GridSelectionReport {
  readonly active:
    { readonly index: number; readonly rowKey: string | undefined; readonly columnId: string } | undefined;
  readonly range:
    { readonly top: number; readonly bottom: number; readonly columnIds: readonly string[] } | undefined;
  readonly rowKeys: readonly string[];
}

/** Input for a cell that was refused. @public */
export interface UnsavedCell {
  /** The title of its column. */
  readonly title: string;
  readonly text: string;
  /** Why it was refused. */
  readonly message: string;
}

/** The key of an added row; undefined if it is unknown. @public */
export type AppendedRow = Promise<string | undefined> | undefined | void;

/** The grid's callbacks. A missing one disables its action. @public */
export interface GridHandlers {
  /**
   * Writes cells. Resolves when they are stored and the source shows them, with the refused ones; a rejection means that none was
   * written. All writes of one step are undone together.
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
   * Adds columns for what is pasted beyond the last one; resolves to undefined if that is to be left out, and to `cancelled` if
   * nothing is to be pasted. Never rejects.
   */
  readonly onAddColumns?: (block: WiderBlock) => Promise<AddedColumns | 'cancelled' | undefined>;
  /** Called with changes around the rows for a step that is about to be written, so that they are undone with the step. */
  readonly onStepPrepared?: (step: EditStep, preparation: StepPreparation) => void;
  /**
   * Adds a row, in grouped rows to the group of the row `beside`. Resolves with its key once the source has it, so that the grid
   * selects it and enters what was typed meanwhile; with undefined if the person fills it in elsewhere. If `isAwaited` returns
   * false, the person has gone elsewhere and must not be led to the row.
   */
  readonly onAppendRow?: (beside?: number, isAwaited?: () => boolean) => AppendedRow;
  /** Like `onAppendRow`, for a row right before or after the one at an index. */
  readonly onInsertRow?: (beside: number, side: RowPlace['side'], isAwaited: () => boolean) => AppendedRow;
  /** Places rows beside another one, in this order. */
  readonly onMoveRows?: (keys: readonly string[], place: RowPlace) => void;
  readonly onInsertColumn?: (anchor: HTMLElement) => void;
  readonly onColumnMenu?: (columnId: string, anchor: HTMLElement) => void;
  readonly onContextMenu?: (request: GridMenuRequest) => void;
  /** Renames a column. Its field stays open until the promise resolves, and with the typed title if it rejects. */
  readonly onRenameColumn?: (columnId: string, title: string) => Promise<void>;
  readonly onResizeColumn?: (columnId: string, width: number) => void;
  /** `beforeId` undefined: to the end. */
  readonly onReorderColumn?: (columnId: string, beforeId: string | undefined) => void;
  readonly onDeleteRows?: (keys: readonly string[]) => void;
  /** The grid was removed with refused cells, which nobody sees any more. */
  readonly onUnsaved?: (cells: readonly UnsavedCell[]) => void;
  readonly onOpenRow?: (key: string) => void;
  readonly onToggleGroup?: (key: string) => void;
  /** Like `onAppendRow`, with the common values of a group. */
  readonly onAppendToGroup?: (key: string, isAwaited?: () => boolean) => AppendedRow;
  /** Asks for the aggregation under a column. */
  readonly onFigureMenu?: (columnId: string, anchor: HTMLElement) => void;
  readonly onUndo?: () => void;
  readonly onRedo?: () => void;
  readonly onSelectionChange?: (selection: GridSelectionReport) => void;
  /** An alternative to retrying if the rows could not be loaded. */
  readonly wayOut?: (error: Error) => { readonly label: string; readonly run: () => void } | undefined;
  /** A cell's component threw; the grid shows a mark in its place and continues. */
  readonly onCellError?: (columnId: string, error: Error) => void;
}

/** The props of the grid. @public */
export interface GridProps extends GridHandlers {
  /** The name of the grid for assistive technology. */
  readonly label: string;
  readonly columns: readonly GridColumn[];
  /** Passed to the editors of cells: the place of the rows. */
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly source: RowSource;
  /** Unfinished edits, if they are also shown elsewhere; the grid's own by default. */
  readonly edits?: CellEdits;
  readonly readOnly?: boolean;
  /** Lines between the rows, in order. */
  readonly heads?: readonly GridHead[];
  readonly footer?: GridFooterProps;
  /** Frames around cells, by row key: the positions of other people. */
  readonly marks?: ReadonlyMap<string, readonly CellMark[]>;
  /** The colour of a row; none by default. */
  readonly colorOf?: (row: RowData) => RowColor | undefined;
  /**
   * Pixels; default 34. In taller rows texts wrap over the lines that fit, and cells may grow: see `--tr-cell-height` of column
   * types.
   */
  readonly rowHeight?: number;
  /** The number of the first row, if earlier rows are not in the source; default 1. */
  readonly firstNumber?: number;
  /** Whether more rows follow the last one of the source, such as on another page. */
  readonly goesOn?: boolean;
  readonly t?: Translate;
  /** The text for a grid without rows, if they are not simply missing. */
  readonly emptyText?: string;
  /** An action besides adding a row. */
  readonly emptyAction?: { readonly label: string; readonly run: () => void } | undefined;
}

/** Methods of the grid for the page around it. @public */
export interface GridHandle {
  focus(): void;
  /** Runs a command, such as those of `gridShortcuts`; false if there is nothing to run it on. */
  perform(command: GridCommand): boolean;
  selectCell(index: number, columnId: string): void;
  /** Scrolls to a column and selects its cell in the person's row, or in the first one. The focus stays. */
  goToColumn(columnId: string): void;
  clearRowSelection(): void;
  /** Scrolls to the first row; selection and focus stay. */
  scrollToTop(): void;
  /** Lets the person edit the title of a column. */
  renameColumn(columnId: string): void;
}
