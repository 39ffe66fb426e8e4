import type { Clock } from './clock.ts';

/** A clock that moves only when a test advances it. */
export class ManualClock implements Clock {
  #now: number;
  #timers: readonly { readonly at: number; readonly run: () => void }[] = [];

  constructor(now = 0) {
    this.#now = now;
  }

  /** The number of pending timers. */
  get waiting(): number {
    return this.#timers.length;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.#now + milliseconds, run };
    this.#timers = [...this.#timers, timer];
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Advances the time and runs the timers that are due, in the order of their times. */
  advance(milliseconds: number): void {
    const target = this.#now + milliseconds;
    for (;;) {
      const [due] = this.#timers
        .filter((timer) => timer.at <= target)
        .sort((left, right) => left.at - right.at);
      if (due === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.#now = due.at;
      due.run();
    }
    this.#now = target;
  }
}
