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
  /** Told of each labelled request; what it returns is called at its end, with the error if there was one. */
  readonly track: (request: ApiRequest) => (error?: unknown) => void;
  /** What an error says, in the language of the page. */
  readonly textOf: (error: ApiError) => string;
  /** Resolves when the server answers, at once where it does. */
  readonly untilThere: () => Promise<void>;
  /** Resolves after so many milliseconds, for a server that has too much to do. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** The session is over: the server refused to renew it. */
  readonly onExpired: () => void;
  /** The session of this browser turned out to be another person's. */
  readonly onOtherPerson: () => void;
  /** Resolves when a paused session goes on, to true, or ends: what its person asked is not to be asked in the name of another one. */
  readonly untilResumed: () => Promise<boolean>;
  readonly isPaused: () => boolean;
  /** The id of whoever is signed in. */
  readonly person: () => string | undefined;
  /** Remembers the calls of this page that may change something. */
  readonly ownCalls: OwnCalls;
  /** Told of the generation of plugins that an answer names. */
  readonly onPluginGeneration: (generation: number) => void;
}

/** How often a request waits for the server to come back: one that never gets through may be what nobody lets through. */
const mostWaits = 5;

/** How often a request comes again that a busy server has turned away before it looked at it, and after how long. */
const busyPauses = [2000, 4000];

/** Signing in, out and asking who one is. */
const isOfSession = ({ path }: ApiRequest): boolean => path.startsWith('/api/v1/auth/');

/** The one way to the server: it carries the session, renews it once on 401 and sends the request again. */
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
    // The same key each time: should an earlier one have been carried out, a later one gets its answer.
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
          // Not all that were turned away come again at the same moment.
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

  /** `asker`: who was signed in when the request was made. It is not sent for anybody else. */
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
      // Another request may have renewed it while this one was on its way.
      const isRenewed = token.get() !== used || (await refresh.run());
      if (!isRenewed || token.get() === undefined) onExpired();
      else if (await this.#isStillOf(request, asker)) return this.#sendOnce<T>(request, as);
      if (isOfSession(request) || !this.#options.isPaused()) throw error;
      return this.#sendRenewed<T>(request, as, asker);
    }
  }

  /** Waits for whoever has to sign in again; resolves to whether a request may be sent as the one who is signed in then. */
  async #isStillOf(request: ApiRequest, asker: string | undefined): Promise<boolean> {
    const { token, person, untilResumed, isPaused, onOtherPerson } = this.#options;
    // Only signing in goes on while the page waits for its person.
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
    // The server reads a file while it arrives, and takes no key for what it has not read yet.
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
