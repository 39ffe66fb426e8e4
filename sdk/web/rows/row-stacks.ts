import type { CellValue } from '../../shared/index.ts';
import { ChangeCount } from './change-count.ts';
import { RowWindow } from './row-window.ts';
import type { RowData } from './row-source.ts';

/** Rows of one stack that are read at once. */
const PAGE_SIZE = 50;

interface RowStacksOptions {
  /** Fetches rows that have a value in the column of the stacks. */
  readonly loadRows: (
    value: CellValue,
    start: number,
    limit: number,
    signal: AbortSignal,
  ) => Promise<readonly RowData[]>;
  /** Reads how many rows there are with each value, all in one call. */
  readonly readGroups: () => Promise<unknown>;
  /** How many rows have a value, by the groups that were read last. */
  readonly countOf: (value: CellValue) => number;
}

/**
 * The rows of a place beside each other in stacks, one for each value of the first column that they are grouped by: a page for each
 * stack that is looked at, and one count for all of them together.
 *
 * @public
 */
export class RowStacks {
  readonly #options: RowStacksOptions;
  readonly #windows = new Map<CellValue, RowWindow>();
  readonly #changes = new ChangeCount();
  /** Told when a stack has another number of rows, and when all begin anew: `of` gives other sources from then on. */
  readonly subscribe = this.#changes.subscribe;
  #counting: Promise<unknown> | undefined;
  #isUsed = false;

  constructor(options: RowStacksOptions) {
    this.#options = options;
  }

  /** Another number whenever `subscribe` tells of something. */
  get version(): number {
    return this.#changes.version;
  }

  /** Whether somebody draws stacks, in place of rows one below the other. */
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

  /** Counts the rows of all stacks, whether or not any of them is looked at. Failures are told by the figures of the rows. */
  count(): void {
    this.#isUsed = true;
    this.#counted().catch(() => undefined);
  }

  /** The stack that holds a row; undefined while none does. */
  holding(key: string): { readonly value: CellValue; readonly window: RowWindow } | undefined {
    for (const [value, window] of this.#windows)
      if (window.indexOf(key) !== undefined) return { value, window };
    return undefined;
  }

  /** Does the same to each stack that was looked at. */
  each(work: (window: RowWindow) => void): void {
    for (const window of this.#windows.values()) work(window);
  }

  /** Reads again what is in sight, and counts. */
  refresh(): void {
    if (!this.#isUsed) return;
    this.#counting = undefined;
    this.each((window) => window.refresh());
    this.count();
  }

  /** Shows nothing of what was read before: the rows are stacked by something else now. */
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

  /** Gives up what is under way. */
  dispose(): void {
    this.#counting = undefined;
    this.each((window) => window.dispose());
  }

  /** One call for all that ask while it is on its way, or since rows were read again. */
  #counted(): Promise<unknown> {
    if (this.#counting !== undefined) return this.#counting;
    const counting = this.#options.readGroups();
    this.#counting = counting;
    // What failed is asked for again by whoever looks next.
    counting.catch(() => {
      if (this.#counting === counting) this.#counting = undefined;
    });
    return counting;
  }
}
