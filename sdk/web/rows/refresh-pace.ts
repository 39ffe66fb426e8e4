/**
 * Milliseconds between reloads of rows during continuous changes, the first after an idle time: other people see each change within
 * a second.
 */
const gapsOfRows = [120, 250, 500, 750];

/** Turns many reasons to reload into few reloads: soon after an idle time, and increasingly rarely during continuous changes. */
export class RefreshPace {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = -Infinity;
  /** The number of reloads since the last idle time. */
  #turn = 0;
  readonly #refresh: () => void;
  readonly #gaps: readonly number[];

  /** `gaps` are milliseconds as above; the last one repeats, and is also the idle time. */
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
