import type { ComponentType } from 'react';
import type { GridTranslate } from './grid-texts.ts';

/** One row as the grid sees it: a stable key and the values by column id. */
export interface GridRowData {
  /** Names the row wherever it stands; an edit in flight follows it through a sort. */
  readonly key: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** True for a row that nobody may edit here, such as one of a table without a key. */
  readonly readOnly?: boolean;
}

/** What a cell component is given. It is drawn very often: keep it small and free of effects. */
export interface GridCellProps {
  readonly value: unknown;
  readonly row: GridRowData;
  readonly column: GridColumn;
  /** True when the cell is the active one or inside the selected range. */
  readonly selected: boolean;
  /** Writes a value at once, for a cell that is its own editor; undefined where the cell may not be edited. */
  readonly commit?: (value: unknown) => void;
}

/** Where the active cell goes when an editor is done. */
export type GridMove = 'stay' | 'down' | 'up' | 'next' | 'previous';

/** What an editor component is given; it is mounted over its cell. */
export interface GridEditorProps {
  readonly value: unknown;
  /** What the user typed to open the editor; undefined when it was opened by Enter, F2 or a double click. */
  readonly initialText?: string;
  readonly row: GridRowData;
  readonly column: GridColumn;
  /** Reports the value so far; it is committed when the user leaves the cell without a word. */
  readonly onChange: (value: unknown) => void;
  readonly onCommit: (value: unknown, move?: GridMove) => void;
  readonly onCancel: () => void;
}

export type GridParse =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/** How the values of a column are drawn, edited, copied and pasted. */
export interface GridCellType {
  readonly Cell: ComponentType<GridCellProps>;
  /** Undefined when the shared text area is the editor, or when a cell cannot be edited by typing. */
  readonly Editor?: ComponentType<GridEditorProps>;
  /** The text that copying gives and that the text editor starts with; `fromText` reads it back. */
  readonly toText: (value: unknown) => string;
  readonly fromText: (text: string) => GridParse;
  /** True when the grid's own text area edits the value as text, in place. */
  readonly editsInPlace: boolean;
  readonly align?: 'start' | 'end' | 'center';
  /** The next value when the user presses Space or Enter on the cell, for a checkbox or the like. */
  readonly toggles?: (value: unknown) => unknown;
}

export interface GridColumn {
  readonly id: string;
  readonly title: string;
  /** Pixels. */
  readonly width: number;
  readonly type: GridCellType;
  /** Stays in sight at the left while the others scroll, as long as the grid is wide enough for it. */
  readonly frozen?: boolean;
  readonly readOnly?: boolean;
  /** Says why, in the user's words. */
  readonly readOnlyReason?: string;
  /** A class name of the icon font. */
  readonly icon?: string;
  readonly primary?: boolean;
  readonly required?: boolean;
  readonly description?: string;
}

/** Where the rows come from. All answers are synchronous; what is missing is fetched and announced. */
export interface GridRowSource {
  /** How many rows there are; undefined while that is unknown. */
  readonly count: number | undefined;
  /** How many rows are known to exist, for the time before `count` is known. */
  readonly atLeast: number;
  /** Why rows are missing; undefined while all is well. */
  readonly error: Error | undefined;
  rowAt(index: number): GridRowData | undefined;
  /** Says which rows are in sight (`end` exclusive): they are fetched, requests for others may be given up. */
  ensure(start: number, end: number): void;
  /** Resolves when the rows can all be read with `rowAt`; for copying and pasting past what is in sight. */
  load(start: number, end: number): Promise<void>;
  /** Asks again for what failed. */
  retry(): void;
  readonly subscribe: (listener: () => void) => () => void;
  /** Changes whenever anything above would answer differently. */
  readonly version: number;
}

export interface GridCellChange {
  readonly rowKey: string;
  /** Where the row stood when it was edited. */
  readonly index: number;
  readonly columnId: string;
  readonly value: unknown;
  readonly before: unknown;
}

export interface GridCellFailure {
  readonly rowKey: string;
  readonly columnId: string;
  /** For the user, shown at the cell. */
  readonly message: string;
}

/** What the pointer was on when the user asked for a menu. Coordinates are of the browser window. */
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

/** What is selected, for panels beside the grid. Rows are indices, `bottom` inclusive. */
export interface GridSelectionReport {
  readonly active:
    { readonly index: number; readonly rowKey: string | undefined; readonly columnId: string } | undefined;
  readonly range:
    { readonly top: number; readonly bottom: number; readonly columnIds: readonly string[] } | undefined;
  readonly rowKeys: readonly string[];
}

/** What the grid asks of the page around it. What is left out is not offered to the user. */
export interface GridHandlers {
  /**
   * Writes cells. Resolves when they are stored and the source shows them, with those that were refused;
   * a rejection means that none was written.
   */
  readonly onCommitCells?: (changes: readonly GridCellChange[]) => Promise<readonly GridCellFailure[]>;
  /** Adds rows for what was pasted past the last one; resolves with the new rows' keys in the same order. */
  readonly onPasteRows?: (rows: readonly Readonly<Record<string, unknown>>[]) => Promise<readonly string[]>;
  readonly onAppendRow?: () => void;
  readonly onInsertColumn?: (anchor: HTMLElement) => void;
  readonly onColumnMenu?: (columnId: string, anchor: HTMLElement) => void;
  readonly onContextMenu?: (request: GridMenuRequest) => void;
  readonly onResizeColumn?: (columnId: string, width: number) => void;
  /** `beforeId` undefined: to the end. */
  readonly onReorderColumn?: (columnId: string, beforeId: string | undefined) => void;
  readonly onDeleteRows?: (keys: readonly string[]) => void;
  readonly onOpenRow?: (key: string) => void;
  readonly onUndo?: () => void;
  readonly onRedo?: () => void;
  readonly onSelectionChange?: (selection: GridSelectionReport) => void;
  /** What a person can do when the rows could not be loaded, beside trying again. */
  readonly wayOut?: (error: Error) => { readonly label: string; readonly run: () => void } | undefined;
  /** A cell's component threw; the grid shows a mark in its place and goes on. */
  readonly onCellError?: (columnId: string, error: Error) => void;
}

export interface GridProps extends GridHandlers {
  /** Read by assistive technology as the name of the grid. */
  readonly label: string;
  readonly columns: readonly GridColumn[];
  readonly source: GridRowSource;
  readonly readOnly?: boolean;
  /** Pixels; 34 when left out. */
  readonly rowHeight?: number;
  readonly t?: GridTranslate;
  /** What to say when there are no rows, where it is not simply that none were added. */
  readonly emptyText?: string;
}

/** What the page around the grid can ask of it. */
export interface GridHandle {
  focus(): void;
  selectCell(index: number, columnId: string): void;
  clearRowSelection(): void;
}
