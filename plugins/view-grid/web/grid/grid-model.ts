import { CellEdits } from './cell-edits.ts';
import { type GridContext, MAX_ROWS_AT_ONCE, whyNotEditable } from './grid-context.ts';
import type { GridCommand } from './grid-keyboard.ts';
import {
  type CellPlace,
  type GridSelection,
  holdSelection,
  holdWithin,
  moveFrom,
  nextInReadingOrder,
  rangeOf,
  samePlace,
  selectCell,
} from './grid-selection.ts';
import type { GridCellChange, GridColumn, GridMove, GridRowData } from './grid-types.ts';

/** The cell that is being edited. */
export interface GridEditing {
  readonly place: CellPlace;
  readonly row: GridRowData;
  readonly column: GridColumn;
  readonly mode: 'typing' | 'editing';
  /** What an editor starts with when it was opened by typing, or to correct a refused text. */
  readonly initialText: string | undefined;
}

/** A message over the grid that stays until it is dismissed or the next one comes. */
export interface GridNotice {
  readonly text: string;
  readonly details: readonly string[];
}

export interface GridState {
  readonly selection: GridSelection | undefined;
  readonly editing: GridEditing | undefined;
  /** Row keys ticked by their boxes. */
  readonly tickedRows: ReadonlySet<string>;
  readonly notice: GridNotice | undefined;
  /** Said at the active cell until it moves: why it cannot be edited. */
  readonly hint: string | undefined;
  readonly focused: boolean;
  /** The cell to bring into sight; a new object asks again. */
  readonly reveal: CellPlace | undefined;
}

type Draft =
  | { readonly kind: 'text'; readonly text: string; readonly start: string }
  | { readonly kind: 'value'; readonly value: unknown };

const initialState: GridState = {
  selection: undefined,
  editing: undefined,
  tickedRows: new Set(),
  notice: undefined,
  hint: undefined,
  focused: false,
  reveal: undefined,
};

/** The grid's state and everything that changes it, apart from drawing: selection, editing, and writing cells. */
export class GridModel {
  readonly edits = new CellEdits();
  private current = initialState;
  private given: GridContext | undefined;
  private draft: Draft | undefined;
  private lastTicked = 0;
  private input: HTMLElement | undefined;
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getState = (): GridState => this.current;

  get context(): GridContext {
    if (this.given === undefined) throw new Error('The grid model was used before the grid was drawn');
    return this.given;
  }

  /** Takes over what the grid was drawn with, and keeps the selection inside the table. */
  update(context: GridContext): void {
    this.given = context;
    const bounds = { rows: context.rowCount, columns: context.columns.length };
    const selection = holdSelection(this.current.selection, bounds);
    if (selection !== this.current.selection) this.set({ selection });
  }

  get activeColumn(): GridColumn | undefined {
    const place = this.current.selection?.active;
    return place === undefined ? undefined : this.context.columns[place.column];
  }

  get activeRow(): GridRowData | undefined {
    const place = this.current.selection?.active;
    return place === undefined ? undefined : this.context.source.rowAt(place.row);
  }

  /** The value that a cell shows: the one under way, or the stored one. */
  valueOf(row: GridRowData, columnId: string): unknown {
    const edit = this.edits.of(row.key, columnId);
    return edit?.kind === 'pending' ? edit.value : row.values[columnId];
  }

  /** The text that a cell shows, as copying takes it. */
  textOf(row: GridRowData, column: GridColumn): string {
    const edit = this.edits.of(row.key, column.id);
    return edit?.kind === 'failed' ? edit.text : column.type.toText(this.valueOf(row, column.id));
  }

  // --- selection ---

  select(place: CellPlace, to: CellPlace = place): void {
    this.leaveEditor();
    this.setSelection({ active: place, head: to }, to);
  }

  extendTo(head: CellPlace): void {
    const { selection } = this.current;
    if (selection === undefined) return this.select(head);
    this.leaveEditor();
    if (!samePlace(selection.head, head)) this.setSelection({ active: selection.active, head }, head);
  }

  /** Shows a selection that may start outside the screen, such as a whole column, without scrolling to it. */
  selectInPlace(selection: GridSelection): void {
    this.leaveEditor();
    this.setSelection(selection, undefined);
  }

  tickRow(index: number, extend: boolean): void {
    const first = extend ? Math.min(this.lastTicked, index) : index;
    const last = extend ? Math.max(this.lastTicked, index) : index;
    const ticked = this.context.source.rowAt(index);
    const add = ticked === undefined || !this.current.tickedRows.has(ticked.key) || extend;
    this.lastTicked = index;
    void this.withRows(first, last, () => this.tick(first, last, add));
  }

  /** Ticks every row, or none when all that are held are ticked. */
  tickAll(): void {
    const { rowCount } = this.context;
    if (this.current.tickedRows.size > 0) return this.clearTicks();
    void this.withRows(0, rowCount - 1, () => this.tick(0, rowCount - 1, true));
  }

  clearTicks(): void {
    this.set({ tickedRows: new Set() });
    this.reportSelection();
  }

  private tick(first: number, last: number, add: boolean): void {
    const tickedRows = new Set(this.current.tickedRows);
    for (let index = first; index <= last; index++) {
      const key = this.context.source.rowAt(index)?.key;
      if (key === undefined) continue;
      if (add) tickedRows.add(key);
      else tickedRows.delete(key);
    }
    this.set({ tickedRows });
    this.reportSelection();
  }

  // --- editing ---

  /** Opens the editor of the active cell; says why when it cannot be edited. */
  beginEditing(): void {
    const { selection } = this.current;
    const column = this.activeColumn;
    const row = this.activeRow;
    if (selection === undefined || column === undefined) return;
    const refused = whyNotEditable(this.context, column, row);
    if (refused !== undefined || row === undefined) return this.set({ hint: refused });
    if (!column.type.editsInPlace && column.type.Editor === undefined) return;
    const edit = this.edits.of(row.key, column.id);
    const failedText = edit?.kind === 'failed' ? edit.text : undefined;
    const start = this.textOf(row, column);
    this.draft = column.type.editsInPlace ? { kind: 'text', text: start, start } : undefined;
    this.openEditor({ place: selection.active, row, column, mode: 'editing', initialText: failedText });
  }

  /**
   * Takes what stands in the text area. Typing over a cell opens its editor. Returns false when the text is not wanted
   * there, so that the text area is emptied.
   */
  typed(text: string): boolean {
    const { editing, selection } = this.current;
    if (editing !== undefined) {
      if (this.draft?.kind === 'text') this.draft = { ...this.draft, text };
      return editing.column.type.editsInPlace;
    }
    const column = this.activeColumn;
    const row = this.activeRow;
    if (selection === undefined || column === undefined) return false;
    const refused = whyNotEditable(this.context, column, row);
    if (refused !== undefined || row === undefined) {
      this.set({ hint: refused, reveal: { ...selection.active } });
      return false;
    }
    if (!column.type.editsInPlace && column.type.Editor === undefined) return false;
    this.draft = column.type.editsInPlace
      ? { kind: 'text', text, start: this.textOf(row, column) }
      : undefined;
    this.openEditor({ place: selection.active, row, column, mode: 'typing', initialText: text });
    return column.type.editsInPlace;
  }

  /** Notes what a plugin's editor holds, to be committed when the user leaves without a word. */
  setDraftValue(value: unknown): void {
    this.draft = { kind: 'value', value };
  }

  commitValue(value: unknown, move: GridMove): void {
    this.draft = { kind: 'value', value };
    this.commitEditing(move);
  }

  /** Closes the editor and writes what it holds, if that is new. A text that cannot be read stays at its cell, marked. */
  commitEditing(move: GridMove = 'stay'): void {
    const { editing } = this.current;
    if (editing === undefined) return;
    const { row, column, place } = editing;
    const draft = this.draft;
    this.draft = undefined;
    this.set({ editing: undefined });
    if (draft?.kind === 'value') {
      if (!Object.is(draft.value, this.valueOf(row, column.id)))
        this.writeValue(row, place.row, column, draft.value);
    } else if (
      draft !== undefined &&
      (draft.text !== draft.start || this.edits.of(row.key, column.id) !== undefined)
    ) {
      this.writeText(row, place.row, column, draft.text);
    }
    this.moveAfterCommit(move);
  }

  /**
   * Ends an edit because the user goes elsewhere. A column type's editor gets to know it first, by losing the focus, and
   * may commit what it holds; what it reported before is committed for it.
   */
  leaveEditor(move: GridMove = 'stay'): void {
    const { editing } = this.current;
    if (editing === undefined) return;
    if (!editing.column.type.editsInPlace) this.focusInput();
    this.commitEditing();
    this.moveAfterCommit(move);
  }

  cancelEditing(): void {
    this.draft = undefined;
    this.set({ editing: undefined });
  }

  /** Writes a value that a cell made by itself, such as a tick. */
  writeFromCell(row: GridRowData, index: number, column: GridColumn, value: unknown): void {
    const refused = whyNotEditable(this.context, column, row);
    if (refused !== undefined) this.set({ hint: refused });
    else this.writeValue(row, index, column, value);
  }

  write(changes: readonly GridCellChange[]): Promise<void> {
    const { handlers, columns } = this.context;
    const types = new Map(columns.map((column) => [column.id, column.type]));
    return this.edits.commit(changes, {
      write:
        handlers.onCommitCells ??
        (() => Promise.reject(new Error(this.context.t('This table is read-only for you.')))),
      textOf: (change) => types.get(change.columnId)?.toText(change.value) ?? '',
    });
  }

  private writeText(row: GridRowData, index: number, column: GridColumn, text: string): void {
    const parsed = column.type.fromText(text);
    if (parsed.ok) this.writeValue(row, index, column, parsed.value);
    else this.edits.fail(row.key, column.id, text, parsed.message);
  }

  private writeValue(row: GridRowData, index: number, column: GridColumn, value: unknown): void {
    const before = this.context.source.rowAt(index)?.key === row.key ? this.context.source.rowAt(index) : row;
    void this.write([
      { rowKey: row.key, index, columnId: column.id, value, before: (before ?? row).values[column.id] },
    ]);
  }

  private openEditor(editing: GridEditing): void {
    this.set({
      editing,
      hint: undefined,
      selection: selectCell(editing.place),
      reveal: { ...editing.place },
    });
  }

  private moveAfterCommit(move: GridMove): void {
    const { selection } = this.current;
    if (selection === undefined || move === 'stay') return;
    const bounds = this.bounds();
    const { active } = selection;
    if (move === 'next' || move === 'previous') {
      this.select(nextInReadingOrder(active, move === 'next' ? 1 : -1, bounds));
    } else {
      this.select(moveFrom(active, move, 'cell', bounds, 1));
    }
  }

  // --- commands of the keyboard that concern selection and editing; others are refused with false ---

  perform(command: GridCommand): boolean {
    const { selection, editing } = this.current;
    switch (command.kind) {
      case 'commit':
        this.commitEditing(command.move);
        return true;
      case 'commitAndMove':
        this.commitEditing();
        return this.perform({ kind: 'move', direction: command.direction, reach: 'cell', extend: false });
      case 'cancel':
        this.cancelEditing();
        return true;
      case 'undo':
      case 'redo':
        this.context.handlers[command.kind === 'undo' ? 'onUndo' : 'onRedo']?.();
        return true;
    }
    if (selection === undefined) return false;
    const bounds = this.bounds();
    switch (command.kind) {
      case 'move': {
        const from = command.extend ? selection.head : selection.active;
        const to = moveFrom(from, command.direction, command.reach, bounds, this.context.pageRows);
        if (command.extend) this.extendTo(to);
        else this.select(to);
        return true;
      }
      case 'step': {
        const to = nextInReadingOrder(selection.active, command.by, bounds);
        // At the very end the key leaves the grid, so that nobody is caught in it.
        if (samePlace(to, selection.active)) return false;
        this.select(to);
        return true;
      }
      case 'corner': {
        const to = holdWithin(
          command.corner === 'first' ? { row: 0, column: 0 } : { row: bounds.rows, column: bounds.columns },
          bounds,
        );
        if (command.extend) this.extendTo(to);
        else this.select(to);
        return true;
      }
      case 'selectAll':
        this.selectInPlace({
          active: { row: 0, column: 0 },
          head: { row: bounds.rows - 1, column: bounds.columns - 1 },
        });
        return true;
      case 'edit':
        if (editing !== undefined) this.set({ editing: { ...editing, mode: 'editing' } });
        else if (this.activeColumn?.type.toggles !== undefined) this.toggle();
        else this.beginEditing();
        return true;
      case 'act':
        if (this.activeColumn?.type.toggles !== undefined) this.toggle();
        else if (this.activeRow !== undefined) this.context.handlers.onOpenRow?.(this.activeRow.key);
        return true;
      case 'tick':
        this.tickRow(selection.active.row, false);
        return true;
      case 'escape':
        this.escape(selection);
        return true;
    }
    return false;
  }

  private toggle(): void {
    const column = this.activeColumn;
    const row = this.activeRow;
    const place = this.current.selection?.active;
    if (column?.type.toggles === undefined || place === undefined) return;
    const refused = whyNotEditable(this.context, column, row);
    if (refused !== undefined || row === undefined) return this.set({ hint: refused });
    this.writeValue(row, place.row, column, column.type.toggles(this.valueOf(row, column.id)));
  }

  /** First takes back a refused text, then a range, then the ticked rows. */
  private escape(selection: GridSelection): void {
    const row = this.activeRow;
    const column = this.activeColumn;
    if (row !== undefined && column !== undefined && this.edits.of(row.key, column.id)?.kind === 'failed') {
      this.edits.discard(row.key, column.id);
    } else if (!samePlace(selection.active, selection.head)) {
      this.select(selection.active);
    } else if (this.current.tickedRows.size > 0) {
      this.clearTicks();
    }
    this.set({ hint: undefined, notice: undefined });
  }

  // --- the rest ---

  /** Tells which element has the focus as long as the grid has it. Returns how to forget it. */
  attachInput(input: HTMLElement | undefined): () => void {
    this.input = input;
    return () => {
      this.input = undefined;
    };
  }

  focusInput(): void {
    this.input?.focus({ preventScroll: true });
  }

  focus(): void {
    const { columns, rowCount } = this.context;
    this.set({ focused: true });
    if (this.current.selection === undefined && rowCount > 0 && columns.length > 0)
      this.select({ row: 0, column: 0 });
  }

  blur(): void {
    this.commitEditing();
    this.set({ focused: false });
  }

  notify(notice: GridNotice | undefined): void {
    this.set({ notice });
  }

  /** Runs `act` when the rows are loaded, which they may be already; says so when they are too many or cannot be had. */
  async withRows(first: number, last: number, act: () => void): Promise<void> {
    const { source, t } = this.context;
    const n = last - first + 1;
    if (n > MAX_ROWS_AT_ONCE)
      return this.notify({
        text: t('At most {{max}} rows at a time; {{n}} are selected.', { max: MAX_ROWS_AT_ONCE, n }),
        details: [],
      });
    if (!this.rowsLoaded(first, last)) {
      try {
        await source.load(first, last + 1);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return this.notify({ text: t('Rows could not be loaded: {{reason}}', { reason }), details: [] });
      }
    }
    act();
  }

  rowsLoaded(first: number, last: number): boolean {
    for (let index = first; index <= last; index++)
      if (this.context.source.rowAt(index) === undefined) return false;
    return true;
  }

  private bounds(): { rows: number; columns: number } {
    return { rows: this.context.rowCount, columns: this.context.columns.length };
  }

  private setSelection(selection: GridSelection, reveal: CellPlace | undefined): void {
    this.set({
      selection,
      hint: undefined,
      reveal: reveal === undefined ? this.current.reveal : { ...reveal },
    });
    this.reportSelection();
  }

  private reportSelection(): void {
    const { columns, source, handlers } = this.context;
    if (handlers.onSelectionChange === undefined) return;
    const { selection, tickedRows } = this.current;
    const rowKeys = [...tickedRows];
    if (selection === undefined)
      return handlers.onSelectionChange({ active: undefined, range: undefined, rowKeys });
    const { top, bottom, left, right } = rangeOf(selection);
    const column = columns[selection.active.column];
    const index = selection.active.row;
    handlers.onSelectionChange({
      active: column && { index, rowKey: source.rowAt(index)?.key, columnId: column.id },
      range: { top, bottom, columnIds: columns.slice(left, right + 1).map((each) => each.id) },
      rowKeys,
    });
  }

  private set(change: Partial<GridState>): void {
    this.current = { ...this.current, ...change };
    for (const listener of this.listeners) listener();
  }
}
