interface Counting {
  readonly abort: AbortController;
  readonly done: Promise<void>;
  /** True if the rows changed meanwhile: the answer is shown, and requested once more. */
  isOutdated: boolean;
}

export interface RowCountOptions {
  /** Absent if the rows cannot be counted. */
  readonly countRows: ((signal: AbortSignal) => Promise<number>) | undefined;
  readonly onSettled: (error: unknown) => void;
}

/** The number of rows: counted by a separate call, since it may be slow, and derived from pages meanwhile. */
export class RowCount {
  readonly #options: RowCountOptions;
  #counting: Counting | undefined;
  #counted: number | undefined;
  #known = 0;
  /** The start of an empty page that was loaded before those right before it. */
  #emptyFrom = Infinity;
  #failure: unknown;
  /** Whether a count was requested: a failed one is repeated only with the rows. */
  #hasAsked = false;

  constructor(options: RowCountOptions) {
    this.#options = options;
  }

  /** Undefined while unknown. */
  get counted(): number | undefined {
    return this.#counted;
  }

  /** Why the last count failed; undefined if the rows are counted. */
  get failure(): unknown {
    return this.#counted === undefined ? this.#failure : undefined;
  }

  /** The number of rows known to exist. */
  get known(): number {
    return this.#known;
  }

  /** Resolves when the running count has been answered. */
  get done(): Promise<void> | undefined {
    return this.#counting?.done;
  }

  askOnce(): void {
    if (this.#counted === undefined && !this.#hasAsked) this.ask();
  }

  ask(): void {
    const { countRows, onSettled } = this.#options;
    if (countRows === undefined) return;
    this.#hasAsked = true;
    this.#emptyFrom = Infinity;
    if (this.#counting !== undefined) {
      this.#counting.isOutdated = true;
      return;
    }
    const abort = new AbortController();
    const done = countRows(abort.signal).then(
      (count) => {
        if (abort.signal.aborted) return;
        this.#counted = count;
        this.#failure = undefined;
        this.#end(counting.isOutdated);
        onSettled(undefined);
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        this.#end(false);
        this.#failure = error;
        // The rows can be read without it: their end is found by reaching it.
        onSettled(this.#known === 0 ? error : undefined);
      },
    );
    const counting: Counting = { abort, done, isOutdated: false };
    this.#counting = counting;
  }

  /** A full page shows that its rows exist, a short one where the end is. */
  learn(start: number, length: number, isFull: boolean): void {
    const end = start + length;
    // An empty page further on is the end if rows are not counted and those right before it exist.
    const isEnd = length > 0 || start === 0 || (this.#counted === undefined && start === this.#known);
    // Any other empty page proves nothing yet: there may be no rows before it either.
    if (length === 0 && !isEnd) {
      this.#emptyFrom = Math.min(this.#emptyFrom, start);
      return;
    }
    this.#known = Math.max(this.#known, end);
    const isBeforeEmpty = this.#counted === undefined && this.#known === this.#emptyFrom;
    if (isBeforeEmpty) this.#counted = this.#known;
    else if (!isFull && isEnd) this.#counted = this.#known = end;
    else if (this.#counted !== undefined && this.#counted < end)
      this.#counted = this.#options.countRows ? end : undefined;
  }

  /** Subtracts removed rows; a running count may be older. */
  less(rows: number): void {
    this.#known = Math.max(0, this.#known - rows);
    if (this.#counted !== undefined) this.#counted = Math.max(0, this.#counted - rows);
    if (this.#counting !== undefined) this.#counting.isOutdated = true;
  }

  /** Adds inserted rows; a running count may be older. */
  more(rows: number): void {
    this.#known += rows;
    if (this.#counted !== undefined) this.#counted += rows;
    if (this.#counting !== undefined) this.#counting.isOutdated = true;
  }

  /** Cancels a running count; the next `askOnce` counts again if the number is unknown. */
  dispose(): void {
    this.#counting?.abort.abort();
    this.#counting = undefined;
    this.#hasAsked = false;
  }

  #end(again: boolean): void {
    this.#counting = undefined;
    if (again) this.ask();
  }
}
