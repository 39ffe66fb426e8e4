interface Counting {
  readonly abort: AbortController;
  readonly done: Promise<void>;
  /** True when the rows changed meanwhile: the answer is shown, and asked for once more. */
  isOutdated: boolean;
}

export interface RowCountOptions {
  /** Left out when nobody can tell. */
  readonly countRows: ((signal: AbortSignal) => Promise<number>) | undefined;
  readonly onSettled: (error: unknown) => void;
}

/** How many rows there are: counted in a call of its own, since it may be slow, and learned from pages meanwhile. */
export class RowCount {
  readonly #options: RowCountOptions;
  #counting: Counting | undefined;
  #counted: number | undefined;
  #known = 0;
  /** Where an empty page began that was read before those right before it. */
  #emptyFrom = Infinity;
  #failure: unknown;
  /** A count that failed is asked for again only with the rows. */
  #hasAsked = false;

  constructor(options: RowCountOptions) {
    this.#options = options;
  }

  /** Undefined while it is not known. */
  get counted(): number | undefined {
    return this.#counted;
  }

  /** Why the rows could not be counted when that was tried last; undefined where they are counted. */
  get failure(): unknown {
    return this.#counted === undefined ? this.#failure : undefined;
  }

  /** So many rows were seen. */
  get known(): number {
    return this.#known;
  }

  /** Resolves when the count that is under way has been answered. */
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
        // The rows can be read without it: the end is found by reaching it.
        onSettled(this.#known === 0 ? error : undefined);
      },
    );
    const counting: Counting = { abort, done, isOutdated: false };
    this.#counting = counting;
  }

  /** A full page says that its rows exist, a short one where the end is. */
  learn(start: number, length: number, isFull: boolean): void {
    const end = start + length;
    // An empty page further on ends the rows where they are not counted and those right before it were seen.
    const isEnd = length > 0 || start === 0 || (this.#counted === undefined && start === this.#known);
    // Any other one tells nothing yet: there may be none before it either.
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

  /** So many rows are gone; a count that is under way may have been made before. */
  less(rows: number): void {
    this.#known = Math.max(0, this.#known - rows);
    if (this.#counted !== undefined) this.#counted = Math.max(0, this.#counted - rows);
    if (this.#counting !== undefined) this.#counting.isOutdated = true;
  }

  /** So many rows came in; a count that is under way may have been made before. */
  more(rows: number): void {
    this.#known += rows;
    if (this.#counted !== undefined) this.#counted += rows;
    if (this.#counting !== undefined) this.#counting.isOutdated = true;
  }

  /** Gives up a count that is under way; the next `askOnce` asks again where it is not known. */
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
