import { setImmediate } from 'node:timers/promises';

/** Milliseconds for which others wait at most. */
const longest = 10;

/** Lets everybody else have a turn now and then while something long goes on. */
export class Breaths {
  #since = performance.now();

  /** To be awaited between one piece of work and the next. */
  async take(): Promise<void> {
    if (performance.now() - this.#since < longest) return;
    await setImmediate();
    this.#since = performance.now();
  }
}
