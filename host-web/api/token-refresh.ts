import { ApiError } from '@trellis/sdk/web';
import type { Transport } from './transport.ts';
import type { AccessToken } from './access-token.ts';

const refreshPath = '/api/v1/auth/token/refresh';

interface RefreshAnswer {
  readonly token?: unknown;
  /** Whose session the cookie is. */
  readonly user_id?: unknown;
}

/**
 * Trades the refresh cookie for an access token; never two at once, in this tab or in another.
 *
 * The server rotates the cookie with each refresh and takes a second use of an old one for theft, so two tabs that refresh
 * at the same moment would sign the person out.
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
   * @throws ApiError when the server could not be asked.
   */
  run(): Promise<boolean> {
    this.#running ??= this.#alone().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  #alone(): Promise<boolean> {
    // Absent on plain http addresses; then tabs of one browser may still meet, which costs a sign-in and no data.
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
