/** Changes that come in a burst are read again once, after this many milliseconds. */
const FIRST_DELAY = 250;
/** While changes go on, rows are read again no sooner than this, in milliseconds. */
const LEAST_GAP = 1000;

/** Turns many reasons to read again into few readings: soon after a quiet time, once a second while changes go on. */
export class RefreshPace {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = -Infinity;
  readonly #refresh: () => void;

  constructor(refresh: () => void) {
    this.#refresh = refresh;
  }

  soon(): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        this.#last = performance.now();
        this.#refresh();
      },
      Math.max(FIRST_DELAY, this.#last + LEAST_GAP - performance.now()),
    );
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
