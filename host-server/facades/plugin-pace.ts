import { withTimeLimit, type Clock } from '@trellis/core';

interface PaceOptions {
  readonly clock: Clock;
  /** Milliseconds in which it neither gives a part nor is given one. */
  readonly limit: number;
  /** The name of the work in the error when it is given up. */
  readonly what: string;
}

/**
 * Walks through what a plugin gives part by part, and gives it up where it stands still. What it waits for of others does not count, nor
 * does what becomes of the parts.
 */
export class PluginPace {
  readonly #options: PaceOptions;
  /** True while the plugin waits for data of others. */
  #isLent = false;
  /** True while the consumer works on a part. */
  #isHeld = false;
  #again = (): void => undefined;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** Wraps data of others that the plugin reads: while it waits for them, its clock stands still. */
  async *lend<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
    try {
      this.#isLent = true;
      for await (const part of parts) {
        this.#isLent = false;
        this.#again();
        yield part;
        this.#isLent = true;
      }
    } finally {
      this.#isLent = false;
      this.#again();
    }
  }

  /** @throws TimeLimitError where it stood still; the signal's reason as soon as that aborts. */
  async *walk<Part>(parts: AsyncIterable<Part>, signal: AbortSignal): AsyncGenerator<Part> {
    const iterator = parts[Symbol.asyncIterator]();
    let giveUp = (_reason: unknown): void => undefined;
    // All parts share one timer and one listener: they come by the thousand.
    const step = <T>(work: () => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        giveUp = reject;
        this.#isHeld = false;
        this.#again();
        work().then(resolve, reject);
      });
    const stopTheClock = this.#watch((error) => giveUp(error));
    const onAbort = () => giveUp(signal.reason);
    signal.addEventListener('abort', onAbort);
    let isOver = false;
    let isGivenUp = false;
    try {
      for (;;) {
        const next = await step(() => iterator.next());
        if (next.done === true) break;
        this.#isHeld = true;
        yield next.value;
      }
      isOver = true;
    } catch (error) {
      isGivenUp = true;
      throw error;
    } finally {
      if (!isOver) {
        const left = (async () => iterator.return?.())();
        // A stream that stands still may not answer this call either, so nothing waits for it.
        left.catch(() => undefined);
        if (!isGivenUp && !signal.aborted) await step(() => left);
      }
      signal.removeEventListener('abort', onAbort);
      stopTheClock();
    }
  }

  /** Calls `late` once with the error of a plugin that stood still. */
  #watch(late: (error: unknown) => void): () => void {
    const { clock, limit, what } = this.#options;
    let stop = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const watch = async (): Promise<void> => {
      try {
        await withTimeLimit(clock, limit, what, (again) => {
          this.#again = again;
          return over;
        });
      } catch (error) {
        if (this.#isLent || this.#isHeld) await watch();
        else late(error);
      }
    };
    void watch();
    return stop;
  }
}
