import { ApiError, type ApiClient, type ApiRequest, type ApiResponse } from '@trellis/sdk/web';
import type { AccessToken } from './access-token.ts';
import type { TokenRefresh } from './token-refresh.ts';
import type { OwnCalls } from './own-calls.ts';
import { LostAnswers } from './lost-answers.ts';
import { saveFile } from './save-file.ts';
import type { Transport } from './transport.ts';

export interface HttpApiClientOptions {
  readonly transport: Transport;
  readonly token: AccessToken;
  readonly refresh: TokenRefresh;
  /** Lets plugins add headers. */
  readonly headers: (
    own: Readonly<Record<string, string>>,
    request: { readonly method: string; readonly path: string },
  ) => Promise<Readonly<Record<string, string>>>;
  /** Called for each labelled request; the function that it returns is called at the end, with the error if there was one. */
  readonly track: (request: ApiRequest) => (error?: unknown) => void;
  /** The text of an error in the page's language. */
  readonly textOf: (error: ApiError) => string;
  /** Resolves when the server answers; at once if it does already. */
  readonly untilThere: () => Promise<void>;
  /** Resolves after this many milliseconds; used when the server is overloaded. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** The session is over: the server refused to renew it. */
  readonly onExpired: () => void;
  /** The session of this browser turned out to belong to another person. */
  readonly onOtherPerson: () => void;
  /**
   * Resolves when a paused session continues (true) or ends (false): a person's requests must not be sent in another person's name.
   */
  readonly untilResumed: () => Promise<boolean>;
  readonly isPaused: () => boolean;
  /** The id of the person who is signed in. */
  readonly person: () => string | undefined;
  /** Remembers the calls of this page that may change something. */
  readonly ownCalls: OwnCalls;
  /** Called with the generation of plugins that an answer names. */
  readonly onPluginGeneration: (generation: number) => void;
}

/**
 * How often a request waits for the server to come back. The number is limited because something in between may block this request
 * for ever.
 */
const mostWaits = 5;

/** How often, and after how long, a request is repeated that a busy server rejected before processing it. */
const busyPauses = [2000, 4000];

/** Requests for signing in, signing out and the current user. */
const isOfSession = ({ path }: ApiRequest): boolean => path.startsWith('/api/v1/auth/');

/** The only way to the server. It sends the session's token, renews the token once after a 401 and sends the request again. */
export class HttpApiClient implements ApiClient {
  readonly #options: HttpApiClientOptions;
  readonly #lost = new LostAnswers();

  constructor(options: HttpApiClientOptions) {
    this.#options = options;
  }

  async request<T>(request: ApiRequest): Promise<T> {
    return (await this.send<T>(request)).data;
  }

  send<T>(request: ApiRequest): Promise<ApiResponse<T>> {
    return this.#tracked(request, () => this.#sendSignedIn<T>(request, 'json'));
  }

  async download(request: ApiRequest, fileName: string): Promise<void> {
    const { data } = await this.#tracked(request, () => this.#sendSignedIn<Blob>(request, 'blob'));
    saveFile(data, fileName);
  }

  async #tracked<T>(request: ApiRequest, work: () => Promise<T>): Promise<T> {
    const settle = this.#options.track(request);
    try {
      const result = await work();
      settle();
      return result;
    } catch (error) {
      const shown = this.#translated(error);
      settle(shown);
      throw shown;
    }
  }

  #translated(error: unknown): unknown {
    if (!(error instanceof ApiError)) return error;
    const { status, code, params } = error;
    return new ApiError(status, this.#options.textOf(error), code, params);
  }

  async #sendSignedIn<T>(request: ApiRequest, as: 'json' | 'blob'): Promise<ApiResponse<T>> {
    const asker = this.#options.person();
    // The key stays the same for each attempt: if an earlier attempt was carried out, a later one gets its answer.
    const keyed = this.#lost.keyed(request, asker);
    try {
      return await this.#sendUntilAnswered<T>(keyed, as, asker);
    } catch (error) {
      this.#lost.failed(keyed, asker, error);
      throw error;
    }
  }

  async #sendUntilAnswered<T>(
    request: ApiRequest,
    as: 'json' | 'blob',
    asker: string | undefined,
  ): Promise<ApiResponse<T>> {
    const pauses = [...busyPauses];
    for (let waits = 0; ;) {
      try {
        return await this.#sendRenewed<T>(request, as, asker);
      } catch (error) {
        const pause = error instanceof ApiError && error.code === 'TOO_BUSY' ? pauses.shift() : undefined;
        if (pause !== undefined) {
          // Spreads the repetitions, so that rejected requests do not all come back at the same moment.
          await this.#options.pause(pause * (0.75 + Math.random() / 2));
          continue;
        }
        const isAway = error instanceof ApiError && error.code === 'UNREACHABLE';
        if (!isAway || request.outlasts !== true || waits === mostWaits) throw error;
        waits += 1;
        await this.#options.untilThere();
      }
    }
  }

  /** `asker`: who was signed in when the request was made. The request is sent for nobody else. */
  async #sendRenewed<T>(
    request: ApiRequest,
    as: 'json' | 'blob',
    asker: string | undefined,
  ): Promise<ApiResponse<T>> {
    const { token, refresh, onExpired } = this.#options;
    if (!(await this.#isStillOf(request, asker))) throw new ApiError(401, 'Unauthorized');
    const used = token.get();
    try {
      return await this.#sendOnce<T>(request, as);
    } catch (error) {
      if (!isUnauthorized(error) || used === undefined) throw error;
      // Another request may have renewed the token in the meantime.
      const isRenewed = token.get() !== used || (await refresh.run());
      if (!isRenewed || token.get() === undefined) onExpired();
      else if (await this.#isStillOf(request, asker)) return this.#sendOnce<T>(request, as);
      if (isOfSession(request) || !this.#options.isPaused()) throw error;
      return this.#sendRenewed<T>(request, as, asker);
    }
  }

  /**
   * Waits until the person has signed in again, if necessary; resolves to whether a request may be sent as the person who is signed
   * in then.
   */
  async #isStillOf(request: ApiRequest, asker: string | undefined): Promise<boolean> {
    const { token, person, untilResumed, isPaused, onOtherPerson } = this.#options;
    // While the session is paused, only requests for signing in are sent.
    if (isOfSession(request)) return true;
    if (isPaused() && !(await untilResumed())) return false;
    if (asker === undefined) return true;
    if (!token.isOfAnother(asker)) return asker === person();
    onOtherPerson();
    return false;
  }

  async #sendOnce<T>(request: ApiRequest, as: 'json' | 'blob'): Promise<ApiResponse<T>> {
    const { method = 'GET', path, query, body, signal, onProgress } = request;
    const headers = await this.#headersOf(request, method);
    const call = method === 'GET' ? undefined : this.#options.ownCalls.begin();
    const onHeaders = (received: Readonly<Record<string, string>>) => {
      call?.answered(received['x-request-id']);
      this.#hearGeneration(received['x-trellis-plugins']);
    };
    try {
      return await this.#options.transport.send<T>({
        method,
        path,
        query,
        body,
        signal,
        onProgress,
        headers,
        as,
        onHeaders,
      });
    } finally {
      call?.end();
    }
  }

  #hearGeneration(text: string | undefined): void {
    const generation = Number(text);
    if (Number.isSafeInteger(generation)) this.#options.onPluginGeneration(generation);
  }

  async #headersOf(request: ApiRequest, method: string): Promise<Readonly<Record<string, string>>> {
    const token = this.#options.token.get();
    const own: Record<string, string> = { 'xc-gui': 'true' };
    if (token !== undefined) Object.assign(own, { 'xc-auth': token, Authorization: `Bearer ${token}` });
    // The server processes a file while it arrives, and so accepts no key for it.
    if (method !== 'GET' && request.idempotencyKey !== undefined && !(request.body instanceof Blob)) {
      own['Idempotency-Key'] = request.idempotencyKey;
    }
    const withPlugins = await this.#options.headers(own, { method, path: request.path });
    return { ...withPlugins, ...request.headers };
  }
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
