import { setImmediate } from 'node:timers/promises';

/** The most milliseconds for which others wait. */
const longest = 10;

/** Yields to other work regularly during a long task. */
export class Breaths {
  #since = performance.now();

  /** To be awaited between two pieces of work. */
  async take(): Promise<void> {
    if (performance.now() - this.#since < longest) return;
    await setImmediate();
    this.#since = performance.now();
  }
}
