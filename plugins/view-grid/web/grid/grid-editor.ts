import { whyNotEditable } from './grid-context.ts';
import { selectCell } from './grid-selection.ts';
import { type GridEditing, GridStore } from './grid-store.ts';
import type { GridCellChange, GridColumn, GridMove, GridRowData } from './grid-types.ts';

/** What the open editor holds: a text with the one it began with, or the value that a column type's editor reported. */
type Draft =
  | { readonly kind: 'text'; readonly text: string; readonly start: string }
  | { readonly kind: 'value'; readonly value: unknown };

/** Opening, leaving and committing the editor of a cell, and writing what it held. */
export abstract class GridEditor extends GridStore {
  private draft: Draft | undefined;

  /** Opens the editor of the active cell; says why when it cannot be edited. */
  beginEditing(): void {
    const { selection } = this.getState();
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
    const { editing, selection } = this.getState();
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
    const { editing } = this.getState();
    if (editing === undefined) return;
    const { row, column, place } = editing;
    const draft = this.draft;
    this.draft = undefined;
    this.set({ editing: undefined });
    if (draft?.kind === 'value') {
      const refused = this.edits.of(row.key, column.id)?.kind === 'failed';
      if (refused || !Object.is(draft.value, this.valueOf(row, column.id)))
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
    const { editing } = this.getState();
    if (editing === undefined) return;
    if (!editing.column.type.editsInPlace) this.focusInput();
    this.commitEditing();
    this.moveAfterCommit(move);
  }

  /** True while leaving the page would lose something that was typed or pasted. */
  get hasUnsaved(): boolean {
    const { draft } = this;
    const typed = draft?.kind === 'text' ? draft.text !== draft.start : draft !== undefined;
    return typed || this.edits.hasAny;
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

  /** Moves the selection on after an edit. */
  protected abstract moveAfterCommit(move: GridMove): void;
}
