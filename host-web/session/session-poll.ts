import type { Clock, Disposable } from '@trellis/core';
import { ApiError } from '@trellis/sdk/web';

export interface SessionPollOptions {
  /** Milliseconds between two checks. */
  readonly interval: number;
  /** Consecutive server errors after which the person is signed out. */
  readonly maxRetries: number;
}

const defaultSessionPoll: SessionPollOptions = { interval: 5 * 60_000, maxRetries: 12 };

interface PolledSession {
  readonly status: 'unknown' | 'guest' | 'signedIn';
  check(): Promise<void>;
  expire(): void;
}

/**
 * Checks regularly that the session is still valid.
 *
 * A server error (5xx) or a 429 counts, and ends the session only if too many occur in a row. A missing answer does not count: a
 * person on a train must not lose what they typed. Any other failure ends the session at once.
 */
export class SessionPoll implements Disposable {
  readonly #session: PolledSession;
  readonly #clock: Clock;
  readonly #options: SessionPollOptions;
  #retries = 0;
  #stop: () => void = () => undefined;
  #disposed = false;

  constructor(session: PolledSession, clock: Clock, options: SessionPollOptions = defaultSessionPoll) {
    this.#session = session;
    this.#clock = clock;
    this.#options = options;
  }

  start(): void {
    this.#stop();
    if (this.#disposed) return;
    this.#stop = this.#clock.after(this.#options.interval, () => {
      void this.poll().then(() => this.start());
    });
  }

  dispose(): void {
    this.#disposed = true;
    this.#stop();
  }

  /** Makes one check. */
  async poll(): Promise<void> {
    if (this.#session.status !== 'signedIn') return;
    try {
      await this.#session.check();
      this.#retries = 0;
    } catch (error) {
      this.#failed(error instanceof ApiError ? error.status : -1);
    }
  }

  #failed(status: number): void {
    if (status === 0) return;
    const mayPass = status === 429 || status >= 500;
    this.#retries = mayPass ? this.#retries + 1 : 0;
    if (mayPass && this.#retries < this.#options.maxRetries) return;
    this.#retries = 0;
    this.#session.expire();
  }
}
