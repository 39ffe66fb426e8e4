import type { GridState } from './grid-state.ts';
import { tellLost } from './tell-lost.ts';

/** What is typed where it cannot go: a blank of it is no key, and what was meant for no cell is told. */
export class RefusedTyping {
  readonly #state: GridState;
  /** What was typed while no cell was selected. */
  #text = '';
  #isUnderWay = false;

  constructor(state: GridState) {
    this.#state = state;
  }

  /** True after a text that the selected cell does not take, until the next thing is done: a blank belongs to that text. */
  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Hears of a text that was not taken. */
  add(text: string): void {
    const { hint, selection, editing } = this.#state.getSnapshot();
    if (text === '' || editing !== undefined) return;
    this.#isUnderWay = hint !== undefined;
    if (selection !== undefined) return;
    this.#text += text;
    tellLost(this.#state, { reason: this.#state.context.t('No cell is selected.'), text: this.#text });
  }

  /** Something else was done. */
  end(): void {
    this.#isUnderWay = false;
    this.#text = '';
  }
}
