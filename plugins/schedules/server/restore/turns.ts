/** Runs the work of each holder sequentially, in the order of the calls. */
export class Turns {
  /** Settles when the last work of a holder has ended. */
  readonly #last = new Map<string, Promise<unknown>>();

  async take<Made>(holder: string, work: () => Promise<Made>): Promise<Made> {
    const before = this.#last.get(holder);
    const own = before === undefined ? work() : before.then(work);
    // The next work runs even if this one failed.
    const ended = own.catch(() => undefined);
    this.#last.set(holder, ended);
    try {
      return await own;
    } finally {
      if (this.#last.get(holder) === ended) this.#last.delete(holder);
    }
  }
}
