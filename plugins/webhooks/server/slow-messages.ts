import { setTimeout as delay } from 'node:timers/promises';

/** Messages of one webhook that take longer than the others of their rounds, which continued without them. */
export class SlowMessages {
  readonly #groups = new Map<Promise<void>, number>();
  #failure: { readonly error: unknown } | undefined;

  /** The number of unfinished messages. */
  get count(): number {
    return [...this.#groups.values()].reduce((sum, count) => sum + count, 0);
  }

  /** @param finished resolves when the results of all of them are stored */
  add(finished: Promise<void>, count: number): void {
    const group = finished
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#groups.delete(group));
    this.#groups.set(group, count);
  }

  /**
   * Waits until some of them have finished, at most for so many milliseconds; by default for all of them. Throws the first error.
   */
  async settled(milliseconds?: number): Promise<void> {
    if (milliseconds === undefined) await Promise.all(this.#groups.keys());
    else {
      const waiting = new AbortController();
      const late = delay(milliseconds, undefined, {
        signal: waiting.signal,
      }).catch(() => undefined);
      await Promise.race([...this.#groups.keys(), late]).finally(() => waiting.abort());
    }
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
  }
}
