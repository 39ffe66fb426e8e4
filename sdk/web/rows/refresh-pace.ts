/** Milliseconds between readings of rows while changes go on, the first of them after a quiet time: others see each change within a second. */
const gapsOfRows = [120, 250, 500, 750];

/** Turns many reasons to read again into few readings: soon after a quiet time, and ever less often while changes go on. */
export class RefreshPace {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = -Infinity;
  /** How many readings there were without a quiet time between. */
  #turn = 0;
  readonly #refresh: () => void;
  readonly #gaps: readonly number[];

  /** `gaps` are milliseconds as above; the last one goes on, and is what counts as a quiet time. */
  constructor(refresh: () => void, gaps: readonly number[] = gapsOfRows) {
    this.#refresh = refresh;
    this.#gaps = gaps;
  }

  soon(): void {
    if (this.#timer !== undefined) return;
    const [first = 0] = this.#gaps;
    const longest = this.#gaps.at(-1) ?? first;
    const since = performance.now() - this.#last;
    if (since >= longest) this.#turn = 0;
    const gap = this.#gaps[this.#turn] ?? longest;
    this.#turn += 1;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#last = performance.now();
        this.#refresh();
      },
      Math.max(first, gap - since),
    );
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
