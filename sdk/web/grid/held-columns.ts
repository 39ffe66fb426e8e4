import type { GridState } from './grid-state.ts';

/** Adjacent columns, by their ids: after a wait they may be elsewhere, and others in their places. */
export class HeldColumns {
  readonly #state: GridState;
  readonly #left: number;
  readonly #ids: readonly string[];

  /** `right` is the last column, which may not exist yet. */
  constructor(state: GridState, left: number, right: number) {
    this.#state = state;
    this.#left = left;
    this.#ids = state.context.columns.slice(left, right + 1).map(({ entity }) => entity.id);
  }

  /** The current index of the first of them, or of a first column to come; undefined if they are no longer adjacent. */
  get left(): number | undefined {
    const { columns } = this.#state.context;
    const [first] = this.#ids;
    if (first === undefined) return this.#left;
    const left = columns.findIndex(({ entity }) => entity.id === first);
    const areTogether = left >= 0 && this.#ids.every((id, at) => columns[left + at]?.entity.id === id);
    return areTogether ? left : undefined;
  }
}
