import { ApiError, type ApiClient } from '@trellis/sdk/web';
import type { Diagnostic } from './diagnostics.ts';

const path = '/api/v1/plugins/client-errors';
const perMinute = 10;

/** Tells the server of contained errors, so that an administrator sees them; a few a minute are enough. */
export class ClientErrorReporter {
  readonly #api: ApiClient;
  readonly #now: () => number;
  #sent: readonly number[] = [];

  constructor(api: ApiClient, now: () => number = Date.now) {
    this.#api = api;
    this.#now = now;
  }

  async report({ pluginId, where, message }: Diagnostic): Promise<void> {
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
