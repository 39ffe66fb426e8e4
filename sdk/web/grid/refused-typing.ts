import type { GridState } from './grid-state.ts';
import { tellLost } from './tell-lost.ts';

/** Handles text typed where it is not accepted: a space in it is not treated as a key, and text for no cell is reported. */
export class RefusedTyping {
  readonly #state: GridState;
  /** The text typed while no cell was selected. */
  #text = '';
  #isUnderWay = false;

  constructor(state: GridState) {
    this.#state = state;
  }

  /** True after a text that the selected cell does not accept, until the next action: a space belongs to that text. */
  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Called with a text that was not accepted. */
  add(text: string): void {
    const { hint, selection, editing } = this.#state.getSnapshot();
    if (text === '' || editing !== undefined) return;
    this.#isUnderWay = hint !== undefined;
    if (selection !== undefined) return;
    this.#text += text;
    tellLost(this.#state, { reason: this.#state.context.t('No cell is selected.'), text: this.#text });
  }

  /** Called when something else was done. */
  end(): void {
    this.#isUnderWay = false;
    this.#text = '';
  }
}
