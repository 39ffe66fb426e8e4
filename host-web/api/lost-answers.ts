import { ApiError, randomKey, type ApiRequest } from '@trellis/sdk/web';

/** A request with the key by which the server knows it again. */
export type KeyedRequest = ApiRequest & { readonly idempotencyKey: string };

/** Requests that are remembered; people repeat the last one. */
const capacity = 20;
/** Milliseconds for which one is remembered: who asks for the same later means another one. */
const longest = 120_000;

/** What was asked to be added while its answer was lost: nobody knows whether it was carried out. */
export class LostAnswers {
  readonly #requests = new Map<string, { readonly request: KeyedRequest; readonly at: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The request with a key: as the earlier one that adds the same was sent, where the answer of that one was lost. */
  keyed(request: ApiRequest, asker: string | undefined): KeyedRequest {
    const name = nameOf(request, asker);
    const lost = name === undefined ? undefined : this.#requests.get(name);
    if (name === undefined || lost === undefined || this.#now() - lost.at > longest)
      return { ...request, idempotencyKey: request.idempotencyKey ?? randomKey() };
    // Another one that adds the same at the same time is meant to add it a second time.
    this.#requests.delete(name);
    const { body, idempotencyKey } = lost.request;
    return { ...request, body, idempotencyKey };
  }

  /** Remembers a request that failed without an answer of its own. */
  failed(request: KeyedRequest, asker: string | undefined, error: unknown): void {
    const name = nameOf(request, asker);
    if (name === undefined || !isLost(error)) return;
    this.#requests.set(name, { request, at: this.#now() });
    for (const oldest of this.#requests.keys()) {
      if (this.#requests.size <= capacity) return;
      this.#requests.delete(oldest);
    }
  }
}

/** Whether nobody knows by the error if the request was carried out; the server may be at it still. */
function isLost(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 0 || error.status >= 500 || error.code === 'IDEMPOTENCY_RUNNING';
}

function nameOf({ method, path, query, once }: ApiRequest, asker: string | undefined): string | undefined {
  return once === undefined ? undefined : JSON.stringify([asker, method, path, query, once]);
}
