import type { UnitOptions } from '../database.ts';
import { withinLimits } from './limited.ts';

/** Lets at most `most` holders in at once; the rest wait in line. */
export class Semaphore {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /** Resolves to the function that gives the place back; rejects when the limits are hit first. */
  async acquire(limits: UnitOptions): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(limits);
    let held = true;
    return () => {
      if (held) this.#next();
      held = false;
    };
  }

  #wait(limits: UnitOptions): Promise<void> {
    let enter = () => {};
    const turn = new Promise<void>((resolve) => {
      enter = resolve;
    });
    const leave = () => {
      const place = this.#line.indexOf(enter);
      // Called in the same moment in which it gave up: the place goes to the next.
      if (place < 0) this.#next();
      else this.#line.splice(place, 1);
    };
    this.#line.push(enter);
    return withinLimits(limits, leave, () => turn);
  }

  #next(): void {
    const enter = this.#line.shift();
    if (enter === undefined) this.#free += 1;
    else enter();
  }
}
