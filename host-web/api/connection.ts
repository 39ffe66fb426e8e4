import { Emitter, type Clock, type Disposable } from '@trellis/core';

/** Milliseconds until a server that is away is asked again; doubles up to the last. */
const firstPatience = 1000;
const lastPatience = 15_000;

export interface ConnectionOptions {
  /** Asks the server for a sign of life; what comes of it arrives by `heard`. */
  readonly ask: () => Promise<unknown>;
  readonly clock: Clock;
}

/**
 * Whether the server answers. Every exchange of the page tells; while there is no answer the server is asked again and again, so that
 * the page comes back by itself.
 *
 * An answer that refuses is an answer.
 */
export class Connection implements Disposable {
  readonly #options: ConnectionOptions;
  readonly #changed = new Emitter<void>();
  readonly #returned = new Emitter<void>();
  #state: 'unknown' | 'there' | 'away' = 'unknown';
  #wasThere = false;
  #isAsking = false;
  /** Whether the last exchange ended with an answer. */
  #isAnswered = false;
  #patience = firstPatience;
  #lostAt = 0;
  #stop: () => void = () => undefined;

  readonly onDidChange = this.#changed.event;
  /** The server answers again. */
  readonly onDidReturn = this.#returned.event;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Whether a server that answered before does not any more. */
  get isLost(): boolean {
    return this.#wasThere && this.#state === 'away';
  }

  /** When the server was found to be away last, in milliseconds since the epoch. */
  get lostAt(): number {
    return this.#lostAt;
  }

  /**
   * Takes over how an exchange ended: with an answer, or without any. While the server is away an answer may be one of before that
   * was still on its way, so the server is asked once more, and is back when it answers that.
   */
  heard(answered: boolean): void {
    this.#isAnswered = answered;
    if (answered && this.#state === 'away') void this.check();
    else this.#settle(answered);
  }

  #settle(answered: boolean): void {
    const before = this.#state;
    this.#state = answered ? 'there' : 'away';
    this.#wasThere ||= answered;
    if (answered) this.#stop();
    if (before === this.#state) return;
    this.#patience = firstPatience;
    if (!answered) {
      this.#lostAt = this.#options.clock.now();
      this.#askLater();
    }
    this.#changed.fire();
    if (before === 'away') this.#returned.fire();
  }

  /** Resolves when the server answers, at once where it does. */
  untilThere(): Promise<void> {
    if (this.#state !== 'away') return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.#returned.event(() => {
        void waiting.dispose();
        resolve();
      });
    });
  }

  /** Asks at once: somebody wants to know, or there is reason to believe that something changed. */
  async check(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      await this.#options.ask();
    } catch {
      // Whether there was an answer was told to `heard`.
    } finally {
      this.#isAsking = false;
    }
    if (this.#isAnswered) this.#settle(true);
  }

  dispose(): void {
    this.#stop();
  }

  #askLater(): void {
    this.#stop();
    this.#stop = this.#options.clock.after(this.#patience, () => {
      this.#patience = Math.min(lastPatience, this.#patience * 2);
      void this.check().then(() => {
        if (this.#state === 'away') this.#askLater();
      });
    });
  }
}
