/** Work of which each holder has one at a time, in the order in which it was asked for. */
export class Turns {
  /** Ends when the last work of a holder has. */
  readonly #last = new Map<string, Promise<unknown>>();

  async take<Made>(holder: string, work: () => Promise<Made>): Promise<Made> {
    const before = this.#last.get(holder);
    const own = before === undefined ? work() : before.then(work);
    // What comes next goes on whatever became of this.
    const ended = own.catch(() => undefined);
    this.#last.set(holder, ended);
    try {
      return await own;
    } finally {
      if (this.#last.get(holder) === ended) this.#last.delete(holder);
    }
  }
}
