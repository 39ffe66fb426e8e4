import type { Clock, Disposable } from '@trellis/core';
import { ApiError } from '@trellis/sdk/web';

export interface SessionPollOptions {
  /** Milliseconds between two checks. */
  readonly interval: number;
  /** Errors of the server in a row after which the person is signed out. */
  readonly maxRetries: number;
}

const defaultSessionPoll: SessionPollOptions = { interval: 5 * 60_000, maxRetries: 12 };

interface PolledSession {
  readonly status: 'unknown' | 'guest' | 'signedIn';
  check(): Promise<void>;
  expire(): void;
}

/**
 * Checks from time to time that the session still holds.
 *
 * An error of the server (5xx) and one that asks for patience (429) count, and end the session only when there were too many of them
 * in a row. No answer at all decides nothing: somebody on a train must not lose what they were typing. Any other failure ends it at
 * once.
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

  /** One check. */
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
