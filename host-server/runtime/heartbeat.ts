import type { Clock } from '@trellis/core';

export interface HeartbeatOptions {
  /** Milliseconds between two beats. */
  readonly every: number;
  /** Reports that the work goes on; false when somebody else has it by now. */
  readonly beat: () => Promise<boolean>;
  /** Milliseconds for which a beat holds, counted from its request. Default: forever. */
  readonly lifetime?: number;
  /** Milliseconds of the first lifetime that have already passed. Default 0. */
  readonly since?: number;
  /** Called once: somebody else has the work, or no beat succeeded within the lifetime, because of `failure`. */
  readonly onLost?: (failure?: unknown) => void;
  /** Called for each failed beat; the next one is tried anyway. */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Pick<Clock, 'after'>;
}

/** A timer that does not keep the process alive. */
const quietClock: Pick<Clock, 'after'> = {
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Reports every few seconds that work goes on, so that other servers do not take it over, until it is stopped or lost.
 *
 * A failed beat is repeated while the last one holds. A hanging beat is not waited for: the work is lost when the last one no
 * longer holds.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #clock: Pick<Clock, 'after'>;
  #cancelNext: () => void = () => {};
  #cancelEnd: () => void;
  #beating: Promise<void> | undefined;
  #failure: unknown;
  #isOver = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#clock = options.clock ?? quietClock;
    this.#cancelEnd = this.#endAfter(options.since);
    this.#beatLater();
  }

  /** Stops the beats, after the one that is running. */
  async stop(): Promise<void> {
    this.#end();
    await this.#beating;
  }

  #beatLater(): void {
    this.#cancelNext = this.#clock.after(this.#options.every, () => {
      this.#beating = this.#beat().finally(() => {
        if (!this.#isOver) this.#beatLater();
      });
    });
  }

  async #beat(): Promise<void> {
    const cancelEnd = this.#endAfter();
    try {
      if (!(await this.#options.beat())) this.#lose();
      // After the end all timers are stopped already.
      if (this.#isOver) return cancelEnd();
      this.#cancelEnd();
      this.#cancelEnd = cancelEnd;
    } catch (error) {
      cancelEnd();
      this.#failure = error;
      this.#options.onError?.(error);
    }
  }

  /** Returns a function that cancels the end. */
  #endAfter(since = 0): () => void {
    const { lifetime } = this.#options;
    if (lifetime === undefined) return () => {};
    return this.#clock.after(lifetime - since, () => this.#lose(this.#failure));
  }

  #lose(failure?: unknown): void {
    if (this.#isOver) return;
    this.#end();
    this.#options.onLost?.(failure);
  }

  #end(): void {
    this.#isOver = true;
    this.#cancelNext();
    this.#cancelEnd();
  }
}
