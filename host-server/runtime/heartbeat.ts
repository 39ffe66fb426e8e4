import type { Clock } from '@trellis/core';

export interface HeartbeatOptions {
  /** Milliseconds between two signs of life. */
  readonly every: number;
  /** Says once more that the work goes on; false when somebody else has it by now. */
  readonly beat: () => Promise<boolean>;
  /** Milliseconds for which a sign of life holds, from the moment when it was asked for. Default: for ever. */
  readonly lifetime?: number;
  /** Milliseconds of the first lifetime that are over. Default 0. */
  readonly since?: number;
  /** Called once: somebody else has the work, or no sign of life was heard for its lifetime because of `failure`. */
  readonly onLost?: (failure?: unknown) => void;
  /** Told of each sign of life that failed; the next one is tried all the same. */
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
 * Says every few seconds that work goes on, so that other servers leave it alone, until it is stopped or lost.
 *
 * A sign of life that fails is repeated while the last one holds. One that hangs is not waited for: the work is lost when the last
 * one no longer holds.
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

  /** Ends the signs of life once the one under way is done. */
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
      // What is over has ended its timers already.
      if (this.#isOver) return cancelEnd();
      this.#cancelEnd();
      this.#cancelEnd = cancelEnd;
    } catch (error) {
      cancelEnd();
      this.#failure = error;
      this.#options.onError?.(error);
    }
  }

  /** Gives how to call the end off. */
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
