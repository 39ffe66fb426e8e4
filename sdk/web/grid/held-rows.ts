import type { RowSource } from '../rows/index.ts';
import type { GridState } from './grid-state.ts';

/** Loaded rows that stand together, by their keys: after a wait they may stand elsewhere, and others in their places. */
export class HeldRows {
  readonly #state: GridState;
  readonly #source: RowSource;
  readonly #top: number;
  readonly #keys: readonly (string | undefined)[];

  /** `bottom` is the last row; above `top` where there is none. */
  constructor(state: GridState, top: number, bottom: number) {
    this.#state = state;
    this.#source = state.context.source;
    this.#top = top;
    this.#keys = Array.from(
      { length: Math.max(0, bottom - top + 1) },
      (_, at) => this.#source.rowAt(top + at)?.key,
    );
  }

  get count(): number {
    return this.#keys.length;
  }

  /** Runs `act` with the place of the first row, or of a first row to come; with undefined where they stand together no more. */
  async find(act: (top: number | undefined) => void): Promise<void> {
    const [first] = this.#keys;
    if (this.count === 0) return act(this.#source.count ?? this.#top);
    const top = (first === undefined ? undefined : this.#source.indexOf(first)) ?? this.#top;
    await this.#state.withRows(top, top + this.count - 1, () => {
      const areThere = this.#keys.every((key, at) => this.#source.rowAt(top + at)?.key === key);
      act(areThere ? top : undefined);
    });
  }
}
