import type { CellValue } from '../../shared/index.ts';
import { type GridContext, MAX_ROWS_AT_ONCE } from './grid-context.ts';
import {
  type CellPlace,
  type CellRange,
  type GridBounds,
  type GridSelection,
  selectCell,
} from './grid-selection.ts';
import type { MovingRows } from './move-rows.ts';
import { FollowedSelection } from './followed-selection.ts';
import { CellEdits, type EditStep, type RowData } from '../rows/index.ts';
import { editedTextOf, editsInPlace, type GridColumn, textOfValue } from './grid-column.ts';

/** The cell that is being edited. */
export interface GridEditing {
  readonly place: CellPlace;
  readonly row: RowData;
  readonly column: GridColumn;
  readonly mode: 'typing' | 'editing';
  /** The initial text of an editor that was opened by typing, or to correct a refused text. */
  readonly initialText: string | undefined;
  /** The initial files of an editor that was opened by files. */
  readonly initialFiles?: readonly File[];
  /** The stored text when the editor opened; undefined if it was unknown. */
  readonly storedText?: string | undefined;
  /** Whether it is the editor for the whole value, which the cell opened. */
  readonly isWhole?: boolean;
}

/** Whether the grid's own text area edits the cell. */
export function isEditedInPlace({ column, isWhole }: GridEditing): boolean {
  return isWhole !== true && editsInPlace(column);
}

/** A typed text whose cell no longer exists. */
export interface LostText {
  readonly reason: string;
  readonly text: string;
}

/** A message over the grid that stays until it is dismissed or replaced. */
export interface GridNotice {
  readonly text: string;
  readonly details: readonly string[];
  /** The texts that it reports, if any: a later one is added to them. */
  readonly lost?: readonly LostText[];
  /** Its step: the message is removed when the step is undone. */
  readonly step?: EditStep;
  /** An action for it. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** The selection, edits and messages at one moment. */
export interface GridSnapshot {
  readonly selection: GridSelection | undefined;
  readonly editing: GridEditing | undefined;
  /** The range of a fill while its handle is dragged. */
  readonly filling: CellRange | undefined;
  /** Rows that are being dragged. */
  readonly moving: MovingRows | undefined;
  /** Keys of the rows with ticked checkboxes. */
  readonly tickedRows: ReadonlySet<string>;
  readonly notice: GridNotice | undefined;
  /** Shown at the active cell until it changes: why it cannot be edited. */
  readonly hint: string | undefined;
  readonly focused: boolean;
  /** Whether typed text waits for something: a row that is being added, or the selected cell. */
  readonly adding: boolean;
  /** The number of running pastes that wait for rows or columns. */
  readonly pasting: number;
  /** The column whose title is being edited. */
  readonly renaming: string | undefined;
  /** The cell to scroll to; a new object scrolls again. */
  readonly reveal: CellPlace | undefined;
}

/** How long a paste waits for the columns that were added for it, in milliseconds. */
const LONGEST_WAIT = 10_000;

const initial: GridSnapshot = {
  selection: undefined,
  editing: undefined,
  filling: undefined,
  moving: undefined,
  tickedRows: new Set(),
  notice: undefined,
  hint: undefined,
  focused: false,
  adding: false,
  pasting: 0,
  renaming: undefined,
  reveal: undefined,
};

/** The state of the grid, and the props of its last render. */
export class GridState {
  readonly edits: CellEdits;
  #current = initial;
  #given: GridContext | undefined;
  #input: HTMLTextAreaElement | undefined;
  #isAtEnd = false;
  readonly #followed = new FollowedSelection();
  readonly #listeners = new Set<() => void>();
  readonly #awaiting = new Set<() => void>();

  constructor(edits: CellEdits = new CellEdits()) {
    this.edits = edits;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): GridSnapshot => this.#current;

  get context(): GridContext {
    if (this.#given === undefined) throw new Error('The grid model was used before the grid was drawn');
    return this.#given;
  }

  /** Stores the props of a render, and keeps the selection on its rows. Returns whether the selection changed. */
  update(context: GridContext): boolean {
    const wasAtEnd = this.#isAtEnd;
    this.#given = context;
    for (const look of this.#awaiting) look();
    const { editing, selection: before } = this.#current;
    // Rows that others add must not get under the selection of a person who is about to type a new one.
    if (wasAtEnd && before !== undefined && this.canAppend) {
      const column = this.#followed.columnNow(context.columns) ?? before.active.column;
      if (before.active.row === this.endRow && before.active.column === column) return false;
      this.set({ selection: selectCell({ row: this.endRow, column }) });
      return true;
    }
    const followed = this.#followed.follow(context, this.bounds());
    // Typed text goes to its own row, whatever is at its index now.
    const selection = followed ?? (editing === undefined ? undefined : before);
    if (selection === before) return false;
    const moved = editing && selection && { ...editing, place: selection.active };
    this.#change({ selection, ...(moved && { editing: moved }) });
    return true;
  }

  /** Unticks deleted rows. Returns whether there were any. */
  untickDeleted(): boolean {
    const { tickedRows } = this.#current;
    const left = [...tickedRows].filter((key) => !this.context.source.wasDeleted(key));
    if (left.length === tickedRows.size) return false;
    this.#change({ tickedRows: new Set(left) });
    return true;
  }

  /** The person's last place if their row is no longer visible; undefined while it is, or if nothing was selected. */
  get lostPlace(): CellPlace | undefined {
    return this.#followed.lostPlace;
  }

  /** Resolves once the grid is drawn with these columns, or after a timeout. */
  async whenShown(columnIds: readonly string[]): Promise<void> {
    const areShown = (): boolean => {
      const shown = new Set(this.context.columns.map(({ entity }) => entity.id));
      return columnIds.every((id) => shown.has(id));
    };
    if (areShown()) return;
    let look = (): void => undefined;
    let limit: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      look = () => areShown() && resolve();
      this.#awaiting.add(look);
      limit = setTimeout(resolve, LONGEST_WAIT);
    });
    clearTimeout(limit);
    this.#awaiting.delete(look);
  }

  /** Drops the selection of a deleted cell: no other one is selected automatically. */
  giveUpSelection(): void {
    this.#followed.giveUp();
    this.#isAtEnd = false;
    this.#change({ selection: undefined });
  }

  /** The line under the last row, where typing begins a new row; it can be selected like a row, but not in a range. */
  get endRow(): number {
    return this.context.source.count ?? this.context.rowCount;
  }

  get canAppend(): boolean {
    const { handlers, readOnly, source } = this.context;
    return handlers.onAppendRow !== undefined && !readOnly && source.count !== undefined;
  }

  /** Whether the line under the last row is selected. */
  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  get activeColumn(): GridColumn | undefined {
    const place = this.#current.selection?.active;
    return place === undefined ? undefined : this.context.columns[place.column];
  }

  get activeRow(): RowData | undefined {
    const place = this.#current.selection?.active;
    return place === undefined ? undefined : this.context.source.rowAt(place.row);
  }

  /** The current state of an edited row: others may have changed it since the edit began. */
  rowNow({ row, place }: Pick<GridEditing, 'row' | 'place'>): RowData {
    const now = this.context.source.rowAt(place.row);
    return now?.key === row.key ? now : row;
  }

  /** The displayed value of a cell: the one being written, or the stored one. */
  valueOf(row: RowData, columnId: string): CellValue {
    const edit = this.edits.of(row.key, columnId);
    return ((edit?.kind === 'pending' ? edit.value : row.values[columnId]) ?? null) as CellValue;
  }

  /** The text of a cell, for copying. */
  textOf(row: RowData, column: GridColumn): string {
    const edit = this.edits.of(row.key, column.entity.id);
    return edit?.kind === 'failed' ? edit.text : textOfValue(this.valueOf(row, column.entity.id), column);
  }

  /** The initial text of its editor. */
  editedTextOf(row: RowData, column: GridColumn): string {
    const edit = this.edits.of(row.key, column.entity.id);
    return edit?.kind === 'failed' ? edit.text : editedTextOf(this.valueOf(row, column.entity.id), column);
  }

  /** Sets the element that has the focus as long as the grid has it. Returns a function that removes it. */
  attachInput(input: HTMLTextAreaElement | undefined): () => void {
    this.#input = input;
    return () => {
      this.#input = undefined;
    };
  }

  focusInput(): void {
    this.#input?.focus({ preventScroll: true });
  }

  /** The content of the text area that was not handled yet. */
  get typedText(): string {
    return this.#input?.value ?? '';
  }

  /** Like `typedText`, and empties the text area. */
  takeTypedText(): string {
    const text = this.typedText;
    if (this.#input !== undefined) this.#input.value = '';
    return text;
  }

  notify(notice: GridNotice | undefined): void {
    this.set({ notice });
  }

  /** Runs `act` once the rows are loaded; shows a message if they are too many or cannot be loaded. */
  async withRows(first: number, last: number, act: () => void): Promise<void> {
    const { source, t } = this.context;
    const n = last - first + 1;
    if (n > MAX_ROWS_AT_ONCE)
      return this.notify({
        text: t('At most {{max}} rows at a time; {{n}} are selected.', { max: MAX_ROWS_AT_ONCE, n }),
        details: [],
      });
    try {
      if (!this.rowsLoaded(first, last)) await source.load(first, last + 1);
      act();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.notify({ text: t('Rows could not be loaded: {{reason}}', { reason }), details: [] });
    }
  }

  rowsLoaded(first: number, last: number): boolean {
    for (let index = first; index <= last; index++)
      if (this.context.source.rowAt(index) === undefined) return false;
    return true;
  }

  bounds(): GridBounds {
    return { rows: this.context.rowCount, columns: this.context.columns.length };
  }

  set(change: Partial<GridSnapshot>): void {
    if ('selection' in change) {
      const { selection } = change;
      this.#isAtEnd =
        this.#given !== undefined && this.canAppend && (selection?.active.row ?? -1) >= this.endRow;
      this.#followed.hold(selection, this.#given);
    }
    this.#change(change);
  }

  #change(change: Partial<GridSnapshot>): void {
    this.#current = { ...this.#current, ...change };
    for (const listener of this.#listeners) listener();
  }
}
