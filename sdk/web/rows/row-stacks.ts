import type { CellValue } from '../../shared/index.ts';
import { ChangeCount } from './change-count.ts';
import { RowWindow } from './row-window.ts';
import type { RowData } from './row-source.ts';

/** Rows of one stack per request. */
const PAGE_SIZE = 50;

interface RowStacksOptions {
  /** Loads rows with a value in the column of the stacks. */
  readonly loadRows: (
    value: CellValue,
    start: number,
    limit: number,
    signal: AbortSignal,
  ) => Promise<readonly RowData[]>;
  /** Loads how many rows there are with each value, all in one call. */
  readonly readGroups: () => Promise<unknown>;
  /** How many rows have a value, by the last loaded groups. */
  readonly countOf: (value: CellValue) => number;
}

/**
 * The rows of a place in adjacent stacks, one for each value of the first grouping column: a page for each visible stack, and one
 * count for all of them together.
 *
 * @public
 */
export class RowStacks {
  readonly #options: RowStacksOptions;
  readonly #windows = new Map<CellValue, RowWindow>();
  readonly #changes = new ChangeCount();
  /** Notified when the number of rows of a stack changes, and when all are reset: `of` then returns other sources. */
  readonly subscribe = this.#changes.subscribe;
  #counting: Promise<unknown> | undefined;
  #isUsed = false;

  constructor(options: RowStacksOptions) {
    this.#options = options;
  }

  /** Changes with each notification of `subscribe`. */
  get version(): number {
    return this.#changes.version;
  }

  /** Whether stacks are drawn, in place of a list of rows. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** The rows with a value, empty for those without one; the same source for the same value. */
  of(value: CellValue): RowWindow {
    this.#isUsed = true;
    const known = this.#windows.get(value);
    if (known !== undefined) return known;
    const made = new RowWindow({
      pageSize: PAGE_SIZE,
      loadRows: (start, limit, signal) => this.#options.loadRows(value, start, limit, signal),
      countRows: async () => {
        await this.#counted();
        return this.#options.countOf(value);
      },
    });
    this.#windows.set(value, made);
    let count = made.count;
    made.subscribe(() => {
      if (made.count === count) return;
      count = made.count;
      this.#changes.announce();
    });
    return made;
  }

  /** Counts the rows of all stacks, visible or not. Failures are reported by the aggregations of the rows. */
  count(): void {
    this.#isUsed = true;
    this.#counted().catch(() => undefined);
  }

  /** The stack that contains a row; undefined if none does. */
  holding(key: string): { readonly value: CellValue; readonly window: RowWindow } | undefined {
    for (const [value, window] of this.#windows)
      if (window.indexOf(key) !== undefined) return { value, window };
    return undefined;
  }

  /** Applies something to each stack that was shown. */
  each(work: (window: RowWindow) => void): void {
    for (const window of this.#windows.values()) work(window);
  }

  /** Reloads the visible rows, and counts. */
  refresh(): void {
    if (!this.#isUsed) return;
    this.#counting = undefined;
    this.each((window) => window.refresh());
    this.count();
  }

  /** Discards everything loaded: the rows are stacked by another column now. */
  startOver(): void {
    this.#counting = undefined;
    this.each((window) => window.dispose());
    this.#windows.clear();
    if (this.#isUsed) this.count();
    this.#changes.announce();
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#windows.values()].map((window) => window.settled()));
  }

  /** Cancels running requests. */
  dispose(): void {
    this.#counting = undefined;
    this.each((window) => window.dispose());
  }

  /** One call for all requests while it is running, and until rows are reloaded. */
  #counted(): Promise<unknown> {
    if (this.#counting !== undefined) return this.#counting;
    const counting = this.#options.readGroups();
    this.#counting = counting;
    // After a failure, the next caller tries again.
    counting.catch(() => {
      if (this.#counting === counting) this.#counting = undefined;
    });
    return counting;
  }
}
