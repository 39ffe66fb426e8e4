import type { RowSource } from '../rows/index.ts';
import type { GridState } from './grid-state.ts';

/**
 * Adjacent rows, by the keys of the loaded ones: after a wait they may be elsewhere, and others in their places. If some were not
 * loaded, added or deleted rows may have been among them.
 */
export class HeldRows {
  readonly #state: GridState;
  readonly #source: RowSource;
  readonly #top: number;
  readonly #keys: readonly (string | undefined)[];
  /** The number of rows; only used if some were not loaded. */
  readonly #rowCount: number | undefined;

  /** `bottom` is the last row; above `top` if there is none. */
  constructor(state: GridState, top: number, bottom: number) {
    this.#state = state;
    this.#source = state.context.source;
    this.#top = top;
    this.#keys = Array.from(
      { length: Math.max(0, bottom - top + 1) },
      (_, at) => this.#source.rowAt(top + at)?.key,
    );
    this.#rowCount = this.#source.count;
  }

  get count(): number {
    return this.#keys.length;
  }

  /** Runs `act` with the index of the first row, or of a first row to come; with undefined if they are no longer adjacent. */
  async find(act: (top: number | undefined) => void): Promise<void> {
    if (this.count === 0) return act(this.#source.count ?? this.#top);
    const top = this.#topNow();
    await this.#state.withRows(top, top + this.count - 1, () => act(this.#areAt(top) ? top : undefined));
  }

  #topNow(): number {
    const at = this.#keys.findIndex((key) => key !== undefined);
    const key = this.#keys[at];
    const now = key === undefined ? undefined : this.#source.indexOf(key);
    return now === undefined ? this.#top : Math.max(0, now - at);
  }

  #areAt(top: number): boolean {
    const wereLoaded = this.#keys.every((key) => key !== undefined);
    const cameOrWent = this.#rowCount !== undefined && this.#source.count !== this.#rowCount;
    if (!wereLoaded && cameOrWent) return false;
    return this.#keys.every((key, at) => key === undefined || this.#source.rowAt(top + at)?.key === key);
  }
}
