import { whyNotEditable } from './grid-context.ts';
import type { GridModel } from './grid-model.ts';
import { tellLost } from './tell-lost.ts';
import type { TypedAhead } from './new-rows.ts';
import type { UnsavedCell } from './grid-types.ts';

/** How often it is checked whether the row of a text can still arrive, in milliseconds. */
const LOOK_AGAIN = 10_000;
/**
 * How long to wait for the plugin of the column's type, in milliseconds: one that is off never arrives, and the keys are needed
 * elsewhere.
 */
const LONGEST_WAIT_FOR_TYPE = 2000;

/**
 * Text typed into a cell that cannot accept it yet, because its row or the plugin of its column's type is still loading: it waits
 * in the text area, with the keys that follow. Nothing is dropped, and a space in it is not treated as a key.
 */
export class TypedEarly {
  readonly #model: GridModel;
  #ahead: readonly TypedAhead[] | undefined;
  #limit: ReturnType<typeof setTimeout> | undefined;

  constructor(model: GridModel) {
    this.#model = model;
  }

  get isWaiting(): boolean {
    return this.#ahead !== undefined;
  }

  /** True while leaving the page would lose something. */
  get hasUnsaved(): boolean {
    return this.isWaiting;
  }

  /** Waits for the selected cell, if it cannot accept text yet; `ahead` are texts and keys that already wait for it. */
  begin(ahead: readonly TypedAhead[] = []): boolean {
    if (this.isWaiting || !this.#isOnItsWay) return this.isWaiting;
    const { state } = this.#model;
    this.#ahead = ahead;
    if (state.activeRow === undefined) this.#waitForRow();
    else this.#limit = setTimeout(() => this.leave(), LONGEST_WAIT_FOR_TYPE);
    state.set({ adding: true, hint: this.#why });
    return true;
  }

  /** After a long outage of the server its rows still arrive: only rows that failed do not. */
  #waitForRow(): void {
    this.#limit = setTimeout(() => {
      if (this.#model.state.context.source.error === undefined) this.#waitForRow();
      else this.leave();
    }, LOOK_AGAIN);
  }

  typeAhead(text: string, command: TypedAhead['command']): void {
    if (this.#ahead !== undefined) this.#ahead = [...this.#ahead, { text, command }];
  }

  /** Enters the typed text as soon as the cell can accept it. */
  takeArrived(): void {
    const ahead = this.#ahead;
    if (ahead === undefined || this.#isOnItsWay) return;
    this.#stopWaiting();
    // The message shown while waiting.
    this.#model.state.set({ hint: undefined });
    this.#model.newRows.enter(ahead);
    if (!this.#model.holdsTyping) this.#model.state.set({ adding: false });
  }

  /** Stops waiting for the cell: the typed text is reported. */
  leave(): void {
    for (const { text, message } of this.#end()) tellLost(this.#model.state, { reason: message, text });
  }

  /** Stops waiting because the grid is removed; returns the typed text. */
  close(): readonly UnsavedCell[] {
    return this.#end();
  }

  #end(): readonly UnsavedCell[] {
    const ahead = this.#ahead;
    if (ahead === undefined) return [];
    const { state } = this.#model;
    const title = state.activeColumn?.entity.title ?? '';
    const message = this.#why ?? state.context.t('The cell was left before it could be typed into.');
    const texts = [...ahead.map((each) => each.text), state.takeTypedText()].filter((each) => each !== '');
    this.#stopWaiting();
    state.set({ adding: false });
    return texts.length === 0 ? [] : [{ title, text: texts.join('\n'), message }];
  }

  get #why(): string | undefined {
    const { context, activeColumn: column, activeRow: row } = this.#model.state;
    return column === undefined ? undefined : whyNotEditable(context, column, row);
  }

  /** Whether the selected cell will accept text later, but not yet. */
  get #isOnItsWay(): boolean {
    const { context, activeColumn: column, activeRow: row } = this.#model.state;
    const { selection } = this.#model.state.getSnapshot();
    if (selection === undefined || column === undefined) return false;
    if (context.readOnly || context.handlers.onCommitCells === undefined) return false;
    if (row === undefined) return selection.active.row < context.rowCount;
    return column.type === undefined && row.readOnly !== true;
  }

  #stopWaiting(): void {
    clearTimeout(this.#limit);
    this.#ahead = undefined;
  }
}
