import { whyNotEditable } from './grid-context.ts';
import type { GridModel } from './grid-model.ts';
import { tellLost } from './tell-lost.ts';
import type { TypedAhead } from './new-rows.ts';
import type { UnsavedCell } from './grid-types.ts';

/** How often it is asked whether the row of a text can still come, in milliseconds. */
const LOOK_AGAIN = 10_000;
/** How long it waits for the plugin of its column's type: one that is switched off never comes, and the keys are wanted elsewhere. */
const LONGEST_WAIT_FOR_TYPE = 2000;

/**
 * What is typed into a cell that cannot take it yet, because its row or the plugin of its column's type is still on its way: it waits in
 * the text area, with the keys that follow. Nothing of it is dropped, and no blank of it is taken for a key.
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

  /** Waits for the selected cell, if it cannot be typed into yet; `ahead` are texts and keys that wait for it already. */
  begin(ahead: readonly TypedAhead[] = []): boolean {
    if (this.isWaiting || !this.#isOnItsWay) return this.isWaiting;
    const { state } = this.#model;
    this.#ahead = ahead;
    if (state.activeRow === undefined) this.#waitForRow();
    else this.#limit = setTimeout(() => this.leave(), LONGEST_WAIT_FOR_TYPE);
    state.set({ adding: true, hint: this.#why });
    return true;
  }

  /** A server that is away for long gives its rows when it is back: only rows that failed never come. */
  #waitForRow(): void {
    this.#limit = setTimeout(() => {
      if (this.#model.state.context.source.error === undefined) this.#waitForRow();
      else this.leave();
    }, LOOK_AGAIN);
  }

  typeAhead(text: string, command: TypedAhead['command']): void {
    if (this.#ahead !== undefined) this.#ahead = [...this.#ahead, { text, command }];
  }

  /** Enters what was typed as soon as the cell can take it. */
  takeArrived(): void {
    const ahead = this.#ahead;
    if (ahead === undefined || this.#isOnItsWay) return;
    this.#stopWaiting();
    // What was said while it waited.
    this.#model.state.set({ hint: undefined });
    this.#model.newRows.enter(ahead);
    if (!this.#model.holdsTyping) this.#model.state.set({ adding: false });
  }

  /** Ends the wait without the cell: what was typed is told. */
  leave(): void {
    for (const { text, message } of this.#end()) tellLost(this.#model.state, { reason: message, text });
  }

  /** Ends the wait since the grid goes away; gives what was typed. */
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

  /** Whether the selected cell may be typed into later on, and not yet. */
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
