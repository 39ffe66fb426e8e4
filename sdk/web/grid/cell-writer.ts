import type { CellValue } from '../../shared/index.ts';
import { checkCell } from '../columns.ts';
import type { CellChange, EditStep, FailedEdit, RowData } from '../rows/index.ts';
import type { EditDraft } from './edit-draft.ts';
import { editedTextOf, type GridColumn, readTypedText } from './grid-column.ts';
import { whyNotEditable } from './grid-context.ts';
import type { GridEditing, GridState } from './grid-state.ts';
import { tellUnseen } from './refused-texts.ts';
import { storedMeanwhile, tellWrittenOver } from './written-over.ts';

interface WrittenCell {
  readonly row: RowData;
  /** The index of the row, if known. */
  readonly index: number;
  readonly column: GridColumn;
}

/** Writes input to cells, and keeps refused texts at their cells. */
export class CellWriter {
  readonly #state: GridState;

  constructor(state: GridState) {
    this.#state = state;
  }

  /** Writes a text to a cell that the person is not in; shows why if that is impossible. */
  enter({ row, column, place }: Pick<GridEditing, 'row' | 'column' | 'place'>, text: string): void {
    const refused = whyNotEditable(this.#state.context, column, row);
    if (refused !== undefined) return this.#state.notify({ text: refused, details: [text] });
    const cell = { row, column, place, mode: 'typing', initialText: text } as const;
    this.writeDraft(cell, { holds: { kind: 'text', text }, start: undefined });
  }

  /** Writes a cell whose editor is closed; `make` gets the cell's current value, undefined if its row is not loaded. */
  writeLate(
    { row, column, place }: Pick<GridEditing, 'row' | 'column' | 'place'>,
    make: (now: CellValue | undefined) => CellValue,
  ): void {
    const { source } = this.#state.context;
    const at = source.indexOf(row.key);
    const loaded = at === undefined ? undefined : source.rowAt(at);
    const value = make(loaded && this.#state.valueOf(loaded, column.entity.id));
    void this.#writeValue({ row: loaded ?? row, index: at ?? place.row, column }, value);
  }

  /** Writes a value that a cell's own control set, such as a checkbox. */
  writeFromCell(row: RowData, index: number, column: GridColumn, value: CellValue): void {
    const refused = whyNotEditable(this.#state.context, column, row);
    if (refused !== undefined) this.#state.set({ hint: refused });
    else void this.#writeValue({ row, index, column }, value);
  }

  /** Writes cells as part of a step; resolves with the refused ones. */
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

  /** Writes the draft of an editor, if it is new. A text that cannot be parsed stays at its cell, marked. */
  writeDraft(editing: GridEditing, { holds, start, typed }: EditDraft): void {
    const { row, column, place } = editing;
    const theirs = storedMeanwhile(this.#state, editing);
    const write = async (value: CellValue, text?: string): Promise<void> => {
      const step = await this.#writeValue({ row, index: place.row, column }, value, text);
      if (step === undefined || theirs === undefined) return;
      const putBack = (): void => {
        const index = this.#state.context.source.indexOf(row.key) ?? place.row;
        this.writeFromCell(row, index, column, theirs.value);
      };
      tellWrittenOver(this.#state, { column, text: theirs.text, step, putBack });
    };
    const edit = this.#state.edits.of(row.key, column.entity.id);
    if (holds.kind === 'text') {
      if (holds.text === start && edit === undefined) return;
      const read = readTypedText(holds.text, column, this.#state.context.t);
      if (!read.ok) this.#fail(row, column, holds.text, read.message);
      else if (edit !== undefined || !Object.is(read.value, this.#state.valueOf(row, column.entity.id)))
        void write(read.value, holds.text);
    } else if (
      edit?.kind === 'failed' ||
      !Object.is(holds.value, this.#state.valueOf(this.#state.rowNow({ row, place }), column.entity.id))
    ) {
      void write(holds.value, typed);
    }
  }

  /** `typed` is the text from which the value was parsed. Resolves with the step, or with undefined if it was refused. */
  async #writeValue(
    { row, index, column }: WrittenCell,
    value: CellValue,
    typed?: string,
  ): Promise<EditStep | undefined> {
    const { context } = this.#state;
    const { entity, type } = column;
    // Formatted by the type that parsed the value, which may be switched off before the answer arrives.
    const text = typed ?? editedTextOf(value, column);
    const checked = type === undefined ? undefined : checkCell(value, entity, type, context.t);
    if (checked?.ok === false) {
      this.#fail(row, column, text, checked.message);
      return undefined;
    }
    const now = context.source.rowAt(index);
    const before = (now?.key === row.key ? now : row).values[entity.id];
    const change = { rowKey: row.key, index, columnId: entity.id, value, before, text };
    const step: EditStep = { kind: 'edit', count: 1 };
    const refused = await this.write([change], step);
    tellUnseen(this.#state, refused, column);
    return refused.length === 0 ? step : undefined;
  }

  #fail({ key: rowKey }: RowData, column: GridColumn, text: string, message: string): void {
    const cell = { rowKey, columnId: column.entity.id, text, message };
    this.#state.edits.fail([cell], { kind: 'edit', count: 1 });
  }
}
