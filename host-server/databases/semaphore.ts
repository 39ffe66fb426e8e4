/** Lets at most `most` holders in at once; the rest wait in line. */
export class Semaphore {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /** Resolves to the function that gives the place back; calling it again does nothing. */
  async acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((enter) => this.#line.push(enter));
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = this.#line.shift();
      if (next === undefined) this.#free += 1;
      else next();
    };
  }
}
