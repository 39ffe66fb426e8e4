import type { CellValue } from '../../shared/index.ts';
import type { EditorDraft } from '../extensions/index.ts';
import { type RowData, titledRow } from '../rows/index.ts';
import type { CellWriter } from './cell-writer.ts';
import { type EditDraft, isNewDraft } from './edit-draft.ts';
import { editedTextOf, editorOf, editsInPlace, type GridColumn, readTypedText } from './grid-column.ts';
import { whyNotEditable } from './grid-context.ts';
import { selectCell } from './grid-selection.ts';
import { type GridEditing, type GridState, isEditedInPlace } from './grid-state.ts';
import type { GridMove, UnsavedCell } from './grid-types.ts';
import { tellLost, tellNoCell } from './tell-lost.ts';
import { storedTextOf } from './written-over.ts';

/** Edits cells one after the other: opens, leaves and commits their editors. */
export class EditSession {
  readonly #state: GridState;
  readonly #writer: CellWriter;
  readonly #moveOn: (move: GridMove) => void;
  #draft: EditDraft | undefined;
  /** The text of the cell when its editor opened: an equal draft changes nothing, whatever others wrote meanwhile. */
  #start: string | undefined;

  /** @param moveOn moves the selection after an edit */
  constructor(state: GridState, writer: CellWriter, moveOn: (move: GridMove) => void) {
    this.#state = state;
    this.#writer = writer;
    this.#moveOn = moveOn;
  }

  /** Opens the editor of the active cell; shows why if it cannot be edited. */
  begin(): void {
    const { activeColumn: column, activeRow: row, context, edits } = this.#state;
    const { selection } = this.#state.getSnapshot();
    if (selection === undefined || column === undefined) return;
    if (this.#opened(row, column)) return;
    const refused = whyNotEditable(context, column, row);
    if (refused !== undefined || row === undefined) return this.#state.set({ hint: refused });
    if (!hasEditor(column)) return;
    const edit = edits.of(row.key, column.entity.id);
    const failedText = edit?.kind === 'failed' ? edit.text : undefined;
    const start = this.#state.editedTextOf(row, column);
    // A refused text is a new draft in the editor that shows it, so that leaving it unchanged sends it again.
    if (failedText !== undefined)
      this.#draft = { holds: { kind: 'text', text: failedText }, start: undefined };
    else this.#draft = editsInPlace(column) ? { holds: { kind: 'text', text: start }, start } : undefined;
    this.#open({ place: selection.active, row, column, mode: 'editing', initialText: failedText });
  }

  /** Opens the editor of the active cell with dropped or pasted files; shows why if it does not accept them. */
  takeFiles(initialFiles: readonly File[]): void {
    const { activeColumn: column, activeRow: row, context } = this.#state;
    const { selection } = this.#state.getSnapshot();
    if (selection === undefined || column === undefined) return tellNoCell(this.#state);
    const refused =
      column.type?.takesFiles === true
        ? whyNotEditable(context, column, row)
        : context.t('“{{title}}” takes no files.', { title: column.entity.title });
    if (refused !== undefined || row === undefined) return this.#state.set({ hint: refused });
    this.leave();
    this.#open({
      place: selection.active,
      row,
      column,
      mode: 'editing',
      initialText: undefined,
      initialFiles,
    });
  }

  /** Opens the editor for the whole value of a cell, wherever its row is now. */
  openWhole(row: RowData, index: number, column: GridColumn): void {
    const { context } = this.#state;
    const refused = whyNotEditable(context, column, row);
    if (refused !== undefined) return this.#state.set({ hint: refused });
    const at = context.columns.findIndex(({ entity }) => entity.id === column.entity.id);
    if (at < 0) return;
    this.leave();
    const place = { row: context.source.indexOf(row.key) ?? index, column: at };
    this.#open({ place, row, column, mode: 'editing', initialText: undefined, isWhole: true });
  }

  /** Opens the place where a type writes its cells itself. */
  #opened(row: RowData | undefined, column: GridColumn, typedText?: string): boolean {
    const { project, table } = this.#state.context;
    if (row === undefined || row.readOnly === true || column.type?.open === undefined) return false;
    const titled = titledRow(row.values, table.columns ?? []);
    const edit = this.#state.edits.of(row.key, column.entity.id);
    const refusedText = edit?.kind === 'failed' ? edit.text : undefined;
    const { key: rowKey } = row;
    column.type.open({
      project,
      table,
      column: column.entity,
      rowKey,
      row: titled,
      typedText,
      refusedText,
      onRefusedDone: () => {
        const now = this.#state.edits.of(rowKey, column.entity.id);
        // A text that was refused since is another one.
        if (now?.kind === 'failed' && now.text === refusedText)
          this.#state.edits.discard(rowKey, column.entity.id);
      },
    });
    return true;
  }

  /**
   * Handles the content of the text area. Typing over a cell opens its editor. Returns false if the text is not accepted there, so
   * that the text area is emptied.
   */
  typed(text: string): boolean {
    const { activeColumn: column, activeRow: row, context } = this.#state;
    const { editing, selection } = this.#state.getSnapshot();
    if (editing !== undefined) {
      if (!isEditedInPlace(editing)) {
        this.typeOn(text);
        return false;
      }
      this.#draft = { holds: { kind: 'text', text }, start: this.#draft?.start };
      return true;
    }
    if (selection === undefined || column === undefined) return false;
    const isOpened = column.type?.opensTyped === true && !context.readOnly && text !== '';
    if (isOpened && this.#opened(row, column, text)) return false;
    const refused = whyNotEditable(context, column, row);
    if (refused !== undefined || row === undefined) {
      this.#state.set({ hint: refused, reveal: { ...selection.active } });
      return false;
    }
    if (!hasEditor(column)) return false;
    this.#draft = { holds: { kind: 'text', text }, start: this.#state.editedTextOf(row, column) };
    this.#open({ place: selection.active, row, column, mode: 'typing', initialText: text });
    return editsInPlace(column);
  }

  /** Continues the text for an editor that was opened by typing and is not mounted yet. */
  typeOn(text: string): void {
    const { editing } = this.#state.getSnapshot();
    if (editing?.mode !== 'typing' || text === '') return;
    const initialText = (editing.initialText ?? '') + text;
    this.#draft = { holds: { kind: 'text', text: initialText }, start: this.#draft?.start };
    this.#state.set({ editing: { ...editing, initialText } });
  }

  /** Stores the draft of a column type's editor, which is committed when the person leaves it. */
  hold(holds: EditorDraft): void {
    this.#draft = { holds, start: this.#start };
  }

  commitValue(value: CellValue, move: GridMove): void {
    this.#draft = { holds: { kind: 'value', value }, start: undefined, typed: this.#typedFor(value) };
    this.commit(move);
  }

  /** The last reported text of an editor, if the value was parsed from it. */
  #typedFor(value: CellValue): string | undefined {
    const { editing } = this.#state.getSnapshot();
    const holds = this.#draft?.holds;
    if (editing === undefined || holds?.kind !== 'text') return undefined;
    const read = readTypedText(holds.text, editing.column, this.#state.context.t);
    return read.ok && Object.is(read.value, value) ? holds.text : undefined;
  }

  /** Closes the editor and writes its draft, if it is new. A text that cannot be parsed stays at its cell, marked. */
  commit(move: GridMove = 'stay'): void {
    const { editing } = this.#state.getSnapshot();
    if (editing === undefined) return;
    const draft = this.#draft;
    this.#draft = undefined;
    this.#state.set({ editing: undefined });
    if (draft !== undefined) this.#writer.writeDraft(editing, draft);
    this.#moveOn(move);
  }

  /**
   * Commits the open edit when the grid is removed, and reports what was refused once all writes are settled.
   *
   * @param others what else may still be written, with what of that was refused
   */
  async close(others: Promise<readonly UnsavedCell[]>): Promise<void> {
    this.commit();
    const { edits, context } = this.#state;
    const lost = await others;
    await edits.settled();
    const refused = edits.failed.map(({ columnId, text, message }) => ({
      title: context.columns.find(({ entity }) => entity.id === columnId)?.entity.title ?? '',
      text,
      message,
    }));
    const unsaved = [...refused, ...lost];
    if (unsaved.length > 0) context.handlers.onUnsaved?.(unsaved);
  }

  /**
   * Ends an edit because the person goes elsewhere. A column type's editor is notified first, by losing the focus, and may commit
   * its draft; otherwise its last reported draft is committed.
   */
  leave(move: GridMove = 'stay'): void {
    const { editing } = this.#state.getSnapshot();
    if (editing === undefined) return;
    if (!isEditedInPlace(editing)) this.#state.focusInput();
    this.commit();
    this.#moveOn(move);
  }

  cancel(): void {
    this.#draft = undefined;
    this.#state.set({ editing: undefined });
  }

  /**
   * Ends the edit of a cell whose column or row was deleted, and reports the typed text: it must not go to a neighbouring cell.
   * Returns whether there was such an edit.
   */
  endWithoutCell(): boolean {
    const { editing } = this.#state.getSnapshot();
    const reason = editing && this.#whyGone(editing);
    if (editing === undefined || reason === undefined) return false;
    const { column } = editing;
    const draft = this.#draft;
    this.cancel();
    this.#state.giveUpSelection();
    if (!isEditedInPlace(editing)) this.#state.focusInput();
    if (isNewDraft(draft))
      tellLost(this.#state, {
        reason,
        text: draft.holds.kind === 'text' ? draft.holds.text : editedTextOf(draft.holds.value, column),
      });
    return true;
  }

  #whyGone({ row, column: { entity } }: GridEditing): string | undefined {
    const { columns, source, t } = this.#state.context;
    if (!columns.some((column) => column.entity.id === entity.id))
      return t('The column “{{title}}” was taken away while you typed.', { title: entity.title });
    return source.wasDeleted(row.key) ? t('This row was deleted while you typed.') : undefined;
  }

  /** Whether leaving the page would lose something typed or pasted. */
  get hasUnsaved(): boolean {
    return isNewDraft(this.#draft) || this.#state.edits.hasAny;
  }

  #open(editing: GridEditing): void {
    this.#start =
      editing.initialText === undefined ? this.#state.editedTextOf(editing.row, editing.column) : undefined;
    const { row, column } = editing;
    this.#state.set({
      editing: { ...editing, storedText: storedTextOf(this.#state, row, column) },
      hint: undefined,
      selection: selectCell(editing.place),
      reveal: { ...editing.place },
    });
  }
}

function hasEditor(column: GridColumn): boolean {
  return editsInPlace(column) || editorOf(column) !== undefined;
}
