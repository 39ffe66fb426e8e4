import { ApiError, type ApiClient } from '@trellis/sdk/web';
import type { Diagnostic } from './diagnostics.ts';

const path = '/api/v1/plugins/client-errors';
const perMinute = 10;

export interface ClientErrorReporterOptions {
  /** The server listens to people only. */
  readonly isSignedIn: () => boolean;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Tells the server of contained errors, so that an administrator sees them; a few a minute are enough. */
export class ClientErrorReporter {
  readonly #api: ApiClient;
  readonly #isSignedIn: () => boolean;
  readonly #now: () => number;
  #sent: readonly number[] = [];
  #held: readonly Diagnostic[] = [];

  constructor(api: ApiClient, { isSignedIn, now = Date.now }: ClientErrorReporterOptions) {
    this.#api = api;
    this.#isSignedIn = isSignedIn;
    this.#now = now;
  }

  /** Sends it, or holds it until `flush`: plugins start while nobody knows yet who is signed in. */
  async report(item: Diagnostic): Promise<void> {
    if (this.#isSignedIn()) return this.#send(item);
    if (this.#held.length < perMinute) this.#held = [...this.#held, item];
  }

  /** Sends what was held; call it when somebody is signed in. */
  async flush(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    await Promise.all(held.map((item) => this.#send(item)));
  }

  async #send({ pluginId, where, message }: Diagnostic): Promise<void> {
    const now = this.#now();
    this.#sent = this.#sent.filter((time) => now - time < 60_000);
    if (this.#sent.length >= perMinute) return;
    this.#sent = [...this.#sent, now];
    try {
      await this.#api.request({
        method: 'POST',
        path,
        body: { pluginId, where: where.slice(0, 200), message: message.slice(0, 1000) },
      });
    } catch (error) {
      // The page already shows it; a report that does not arrive must not become an error of its own.
      if (!(error instanceof ApiError)) throw error;
    }
  }
}
