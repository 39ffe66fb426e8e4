import type { CellValue } from '../../shared/index.ts';
import { checkCell } from '../columns.ts';
import type { EditorDraft } from '../extensions/index.ts';
import { type CellChange, type EditStep, type FailedEdit, type RowData, titledRow } from '../rows/index.ts';
import { editedTextOf, editorOf, editsInPlace, type GridColumn, readTypedText } from './grid-column.ts';
import { whyNotEditable } from './grid-context.ts';
import { tellLost } from './tell-lost.ts';
import { selectCell } from './grid-selection.ts';
import { type GridEditing, type GridState, isEditedInPlace } from './grid-state.ts';
import type { GridMove, UnsavedCell } from './grid-types.ts';

/** What the open editor holds, and what it began with where that is known. */
interface Draft {
  readonly holds: EditorDraft;
  readonly start: string | undefined;
  /** The text that a held value was read from; undefined where it was chosen. */
  readonly typed?: string;
}

/** The edit of one cell after the other: opening, leaving and committing its editor, and writing what it held. */
export class EditSession {
  readonly #state: GridState;
  readonly #moveOn: (move: GridMove) => void;
  #draft: Draft | undefined;
  /** The text of the cell when its editor opened: who holds it again has changed nothing, whatever others wrote meanwhile. */
  #start: string | undefined;

  /** `moveOn` moves the selection after an edit. */
  constructor(state: GridState, moveOn: (move: GridMove) => void) {
    this.#state = state;
    this.#moveOn = moveOn;
  }

  /** Opens the editor of the active cell; says why when it cannot be edited. */
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
    // A refused text is held for the editor that shows it, so that leaving it as it is sends it again.
    if (failedText !== undefined)
      this.#draft = { holds: { kind: 'text', text: failedText }, start: undefined };
    else this.#draft = editsInPlace(column) ? { holds: { kind: 'text', text: start }, start } : undefined;
    this.#open({ place: selection.active, row, column, mode: 'editing', initialText: failedText });
  }

  /** Opens the editor of the active cell with files that were dropped or pasted; says why when it does not take them. */
  takeFiles(initialFiles: readonly File[]): void {
    const { activeColumn: column, activeRow: row, context } = this.#state;
    const { selection } = this.#state.getSnapshot();
    if (selection === undefined || column === undefined) return;
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

  /** Opens the place where a type writes its cells by itself. */
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
   * Takes what stands in the text area. Typing over a cell opens its editor. Returns false when the text is not wanted
   * there, so that the text area is emptied.
   */
  typed(text: string): boolean {
    const { activeColumn: column, activeRow: row, context } = this.#state;
    const { editing, selection } = this.#state.getSnapshot();
    if (editing !== undefined) {
      if (!isEditedInPlace(editing)) return false;
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

  /** Notes what a column type's editor holds, to be committed when the person leaves without a word. */
  hold(holds: EditorDraft): void {
    this.#draft = { holds, start: this.#start };
  }

  commitValue(value: CellValue, move: GridMove): void {
    this.#draft = { holds: { kind: 'value', value }, start: undefined, typed: this.#typedFor(value) };
    this.commit(move);
  }

  /** The text that an editor said last, where it is the one that a value was read from. */
  #typedFor(value: CellValue): string | undefined {
    const { editing } = this.#state.getSnapshot();
    const holds = this.#draft?.holds;
    if (editing === undefined || holds?.kind !== 'text') return undefined;
    const read = readTypedText(holds.text, editing.column, this.#state.context.t);
    return read.ok && Object.is(read.value, value) ? holds.text : undefined;
  }

  /** Writes a text into a cell that the person is not in; says why where that is not possible. */
  enter({ row, column, place }: Pick<GridEditing, 'row' | 'column' | 'place'>, text: string): void {
    const refused = whyNotEditable(this.#state.context, column, row);
    if (refused !== undefined) return this.#state.notify({ text: refused, details: [text] });
    const cell = { row, column, place, mode: 'typing', initialText: text } as const;
    this.#writeDraft(cell, { holds: { kind: 'text', text }, start: undefined });
  }

  /** Writes a cell whose editor has gone; `make` is given what the cell shows by now, undefined where its row is not loaded. */
  writeLate(
    { row, column, place }: Pick<GridEditing, 'row' | 'column' | 'place'>,
    make: (now: CellValue | undefined) => CellValue,
  ): void {
    const { source } = this.#state.context;
    const at = source.indexOf(row.key);
    const loaded = at === undefined ? undefined : source.rowAt(at);
    const value = make(loaded && this.#state.valueOf(loaded, column.entity.id));
    this.#writeValue(loaded ?? row, at ?? place.row, column, value);
  }

  /** Closes the editor and writes what it holds, if that is new. A text that cannot be read stays at its cell, marked. */
  commit(move: GridMove = 'stay'): void {
    const { editing } = this.#state.getSnapshot();
    if (editing === undefined) return;
    const draft = this.#draft;
    this.#draft = undefined;
    this.#state.set({ editing: undefined });
    if (draft !== undefined) this.#writeDraft(editing, draft);
    this.#moveOn(move);
  }

  /**
   * Commits the open edit since the grid goes away, and hands on what was not taken once all writes are settled.
   *
   * @param others what else may still be entered, and what of that was not taken
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
   * Ends an edit because the person goes elsewhere. A column type's editor gets to know it first, by losing the focus, and
   * may commit what it holds; what it said before is committed for it.
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
   * Ends the edit of a cell whose column or row is gone, with what was typed told: nothing of it may go to the cell beside it. Returns
   * whether there was such an edit.
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
    if (isNew(draft))
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

  /** True while leaving the page would lose something that was typed or pasted. */
  get hasUnsaved(): boolean {
    return isNew(this.#draft) || this.#state.edits.hasAny;
  }

  /** Writes a value that a cell made by itself, such as a tick. */
  writeFromCell(row: RowData, index: number, column: GridColumn, value: CellValue): void {
    const refused = whyNotEditable(this.#state.context, column, row);
    if (refused !== undefined) this.#state.set({ hint: refused });
    else this.#writeValue(row, index, column, value);
  }

  /** Writes cells as part of a step; resolves with what was refused. */
  write(changes: readonly CellChange[], step: EditStep): Promise<readonly FailedEdit[]> {
    const { handlers, columns, t } = this.#state.context;
    const byId = new Map(columns.map((column) => [column.entity.id, column]));
    return this.#state.edits.commit(changes, {
      step,
      write:
        handlers.onCommitCells ?? (() => Promise.reject(new Error(t('This table is read-only for you.')))),
      textOf: ({ columnId, value, text }) => {
        if (text !== undefined) return text;
        const column = byId.get(columnId);
        return column === undefined ? '' : editedTextOf(value, column);
      },
    });
  }

  #writeDraft({ row, column, place }: GridEditing, { holds, start, typed }: Draft): void {
    const edit = this.#state.edits.of(row.key, column.entity.id);
    if (holds.kind === 'text') {
      if (holds.text === start && edit === undefined) return;
      const read = readTypedText(holds.text, column, this.#state.context.t);
      if (!read.ok) this.#fail(row, column, holds.text, read.message);
      else if (edit !== undefined || !Object.is(read.value, this.#state.valueOf(row, column.entity.id)))
        this.#writeValue(row, place.row, column, read.value, holds.text);
    } else if (
      edit?.kind === 'failed' ||
      !Object.is(holds.value, this.#state.valueOf(this.#state.rowNow({ row, place }), column.entity.id))
    ) {
      this.#writeValue(row, place.row, column, holds.value, typed);
    }
  }

  /** `typed` is the text that the value was read from. */
  #writeValue(row: RowData, index: number, column: GridColumn, value: CellValue, typed?: string): void {
    const { context } = this.#state;
    const { entity, type } = column;
    // Made by the type that the value was read with: it may be switched off before the answer comes.
    const text = typed ?? editedTextOf(value, column);
    const checked = type === undefined ? undefined : checkCell(value, entity, type, context.t);
    if (checked?.ok === false) return this.#fail(row, column, text, checked.message);
    const now = context.source.rowAt(index);
    const before = (now?.key === row.key ? now : row).values[entity.id];
    const change = { rowKey: row.key, index, columnId: entity.id, value, before, text };
    void this.write([change], { kind: 'edit', count: 1 }).then((refused) =>
      this.#tellUnseen(refused, column),
    );
  }

  /** Tells of a refused text whose cell is not shown, where nobody would see its mark. */
  #tellUnseen(refused: readonly FailedEdit[], { entity }: GridColumn): void {
    const { columns, source, table } = this.#state.context;
    for (const { rowKey, columnId, text, message } of refused) {
      const isShown = columns.some((each) => each.entity.id === columnId);
      if (isShown && source.indexOf(rowKey) !== undefined) continue;
      tellLost(this.#state, { reason: `${entity.title}: ${message}`, text });
      // Nobody can come back to a cell of a column that is gone.
      const isGone = !isShown && table.columns?.every(({ id }) => id !== columnId) === true;
      if (isGone) this.#state.edits.discard(rowKey, columnId);
    }
  }

  #fail({ key: rowKey }: RowData, column: GridColumn, text: string, message: string): void {
    const cell = { rowKey, columnId: column.entity.id, text, message };
    this.#state.edits.fail([cell], { kind: 'edit', count: 1 });
  }

  #open(editing: GridEditing): void {
    this.#start =
      editing.initialText === undefined ? this.#state.editedTextOf(editing.row, editing.column) : undefined;
    this.#state.set({
      editing,
      hint: undefined,
      selection: selectCell(editing.place),
      reveal: { ...editing.place },
    });
  }
}

/** True for what is more than the editor began with. */
function isNew(draft: Draft | undefined): draft is Draft {
  return draft !== undefined && (draft.holds.kind === 'value' || draft.holds.text !== draft.start);
}

function hasEditor(column: GridColumn): boolean {
  return editsInPlace(column) || editorOf(column) !== undefined;
}
