import type { GridCommand } from './grid-keyboard.ts';
import type { GridModel } from './grid-model.ts';
import { editsInPlace } from './grid-column.ts';
import { performCommand } from './perform-command.ts';
import type { AppendedRow } from './grid-types.ts';

/** A key that was pressed before the row was there, and the text before it. */
interface TypedAhead {
  readonly text: string;
  readonly command: GridCommand;
}

/**
 * Rows that are typed one after the other: going past the last row leads to the line under it, and typing there adds a row.
 * Whatever is typed until the row is there waits for it.
 */
export class NewRows {
  readonly #model: GridModel;
  #ahead: TypedAhead[] = [];
  /** The row on its way; its key is known before the grid was drawn with it. */
  #awaited: { readonly column: number | undefined; key?: string } | undefined;
  /** The row that was added last: whoever goes down from it means to add another one, wherever it stands. */
  #last: string | undefined;

  constructor(model: GridModel) {
    this.#model = model;
  }

  get isAdding(): boolean {
    return this.#awaited !== undefined;
  }

  /**
   * Adds a row by the handler of the page, or by `request`.
   *
   * @param column where the person goes on; where the page leads them when left out
   */
  add(request?: () => AppendedRow, column?: number): void {
    const { state } = this.#model;
    const { handlers } = state.context;
    if (this.isAdding || !state.canAppend) return;
    const asked = request === undefined ? handlers.onAppendRow?.() : request();
    if (!(asked instanceof Promise)) return;
    const awaited = { column };
    this.#awaited = awaited;
    state.set({ adding: true });
    asked.then(
      (key) => {
        if (this.#awaited !== awaited) return;
        if (key === undefined) return this.#giveUp();
        this.#awaited = { column, key };
        this.takeArrived();
      },
      () => this.#giveUp(),
    );
  }

  /** As `add`, from the selected cell: into its group, in its column. */
  addHere(): void {
    const { state } = this.#model;
    const { active } = state.getSnapshot().selection ?? {};
    if (active === undefined) return this.add();
    const beside = Math.min(active.row, state.endRow - 1);
    const { handlers } = state.context;
    this.add(() => handlers.onAppendRow?.(beside < 0 ? undefined : beside), active.column);
  }

  /** Keeps a key that was pressed while the row is on its way, and the text before it. */
  typeAhead(text: string, command: GridCommand): void {
    this.#ahead.push({ text, command });
  }

  /**
   * Goes on from the row that was added last instead of moving down from it; false where the person is elsewhere. Below it may
   * stand another row, by the sorts of a view: the next text must not go over that.
   */
  goOn(): boolean {
    const { state } = this.#model;
    const row = state.activeRow;
    const active = state.getSnapshot().selection?.active;
    if (row === undefined || active === undefined || row.key !== this.#last || !state.canAppend) return false;
    const isLast = active.row === state.endRow - 1;
    if (state.context.handlers.onAppendToGroup !== undefined && !isLast) this.addHere();
    else this.#model.select({ row: state.endRow, column: active.column });
    return true;
  }

  /** Selects the awaited row as soon as the grid has it, and enters what was typed for it. */
  takeArrived(): void {
    const { state } = this.#model;
    const { key, column } = this.#awaited ?? {};
    const index = key === undefined ? undefined : state.context.source.indexOf(key);
    if (key === undefined || index === undefined) return;
    this.#awaited = undefined;
    this.#last = key;
    const at = column ?? state.getSnapshot().selection?.active.column ?? 0;
    this.#model.select({ row: index, column: at });
    this.#enterAhead();
    if (!this.isAdding) state.set({ adding: false });
  }

  #enterAhead(): void {
    const { state, session } = this.#model;
    const waiting = this.#ahead;
    this.#ahead = [];
    for (const [at, { text, command }] of waiting.entries()) {
      if (text !== '') {
        const column = state.activeColumn;
        session.typed(text);
        if (column !== undefined && !editsInPlace(column)) session.hold({ kind: 'text', text });
      }
      performCommand(this.#model, command);
      const rest = waiting.slice(at + 1);
      if (!this.isAdding && state.isAtEnd && (rest[0]?.text ?? '') !== '') this.addHere();
      if (!this.isAdding) continue;
      this.#ahead = rest;
      return;
    }
    if (state.typedText !== '') this.#model.typed(state.typedText);
  }

  /** No row came: what was typed for it is told, so that nothing is lost in silence. */
  #giveUp(): void {
    const { state } = this.#model;
    const texts = [...this.#ahead.map(({ text }) => text), state.typedText].filter((text) => text !== '');
    this.#awaited = undefined;
    this.#ahead = [];
    state.set({ adding: false });
    if (texts.length > 0)
      state.notify({ text: state.context.t('No row was added for what you typed.'), details: texts });
  }
}
