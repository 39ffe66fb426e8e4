import type { GridState } from './grid-state.ts';

/** Columns that stand together, by their ids: after a wait they may stand elsewhere, and others in their places. */
export class HeldColumns {
  readonly #state: GridState;
  readonly #left: number;
  readonly #ids: readonly string[];

  /** `right` is the last column; there may be none yet so far to the right. */
  constructor(state: GridState, left: number, right: number) {
    this.#state = state;
    this.#left = left;
    this.#ids = state.context.columns.slice(left, right + 1).map(({ entity }) => entity.id);
  }

  /** The place of the first of them now, or of a first column to come; undefined where they stand together no more. */
  get left(): number | undefined {
    const { columns } = this.#state.context;
    const [first] = this.#ids;
    if (first === undefined) return this.#left;
    const left = columns.findIndex(({ entity }) => entity.id === first);
    const areTogether = left >= 0 && this.#ids.every((id, at) => columns[left + at]?.entity.id === id);
    return areTogether ? left : undefined;
  }
}
