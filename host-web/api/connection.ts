import { Emitter, type Clock, type Disposable } from '@trellis/core';

/** Milliseconds before an unreachable server is asked again; they double up to `lastPatience`. */
const firstPatience = 1000;
const lastPatience = 15_000;

export interface ConnectionOptions {
  /** Sends a request to the server; `heard` gets its outcome. */
  readonly ask: () => Promise<unknown>;
  readonly clock: Clock;
}

/**
 * Whether the server answers. Every exchange of the page reports this; while the server does not answer, it is asked repeatedly, so
 * that the page recovers by itself.
 *
 * A refusal counts as an answer.
 */
export class Connection implements Disposable {
  readonly #options: ConnectionOptions;
  readonly #changed = new Emitter<void>();
  readonly #returned = new Emitter<void>();
  #state: 'unknown' | 'there' | 'away' = 'unknown';
  #wasThere = false;
  #isAsking = false;
  /** Whether the last exchange got an answer. */
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

  /** Whether the server answered before and does not answer now. */
  get isLost(): boolean {
    return this.#wasThere && this.#state === 'away';
  }

  /** When the server was last found to be away, in milliseconds since the epoch. */
  get lostAt(): number {
    return this.#lostAt;
  }

  /**
   * Records how an exchange ended: with or without an answer. While the server is away, an answer may be an old one that was still
   * on its way. So the server is asked once more, and counts as back when it answers that.
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

  /** Resolves when the server answers; at once if it does already. */
  untilThere(): Promise<void> {
    if (this.#state !== 'away') return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.#returned.event(() => {
        void waiting.dispose();
        resolve();
      });
    });
  }

  /** Asks at once: the caller wants to know, or expects a change. */
  async check(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      await this.#options.ask();
    } catch {
      // `heard` was told whether there was an answer.
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
