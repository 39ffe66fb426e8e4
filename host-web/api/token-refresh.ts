import { ApiError } from '@trellis/sdk/web';
import type { Transport } from './transport.ts';
import type { AccessToken } from './access-token.ts';

const refreshPath = '/api/v1/auth/token/refresh';

interface RefreshAnswer {
  readonly token?: unknown;
  /** The id of the user whose session the cookie belongs to. */
  readonly user_id?: unknown;
}

/**
 * Exchanges the refresh cookie for an access token, once at a time across all tabs.
 *
 * The server rotates the cookie with each refresh and treats a second use of an old one as theft. Two tabs that refresh at the same
 * moment would therefore sign the person out.
 */
export class TokenRefresh {
  readonly #transport: Transport;
  readonly #token: AccessToken;
  #running: Promise<boolean> | undefined;

  constructor(transport: Transport, token: AccessToken) {
    this.#transport = transport;
    this.#token = token;
  }

  /**
   * @returns whether there is a fresh token; false means that the session is over.
   * @throws ApiError if the server cannot be reached.
   */
  run(): Promise<boolean> {
    this.#running ??= this.#alone().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  #alone(): Promise<boolean> {
    // Locks do not exist on plain http addresses. There, two tabs may still refresh at once; that costs a sign-in, but no data.
    const locks = 'locks' in navigator ? (navigator.locks as LockManager | undefined) : undefined;
    return locks === undefined ? this.#refresh() : locks.request('trellis-refresh', () => this.#refresh());
  }

  async #refresh(): Promise<boolean> {
    try {
      const { data } = await this.#transport.send<RefreshAnswer>({
        method: 'POST',
        path: refreshPath,
        body: {},
        headers: {},
      });
      if (typeof data.token !== 'string' || data.token === '') return false;
      this.#token.set(data.token, typeof data.user_id === 'string' ? data.user_id : undefined);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) {
        return false;
      }
      throw error;
    }
  }
}
