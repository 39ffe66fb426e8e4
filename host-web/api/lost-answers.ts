import { ApiError, randomKey, type ApiRequest } from '@trellis/sdk/web';

/** A request with the key by which the server recognises a repetition. */
export type KeyedRequest = ApiRequest & { readonly idempotencyKey: string };

/** Number of remembered requests; people repeat the last one. */
const capacity = 20;
/** Milliseconds for which a request is remembered: after that, the same request is meant as a new one. */
const longest = 120_000;

/** Requests to add something whose answers were lost: nobody knows whether they were carried out. */
export class LostAnswers {
  readonly #requests = new Map<string, { readonly request: KeyedRequest; readonly at: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Adds a key to the request. If the answer to an earlier request to add the same was lost, this one is sent as the earlier one
   * was.
   */
  keyed(request: ApiRequest, asker: string | undefined): KeyedRequest {
    const name = nameOf(request, asker);
    const lost = name === undefined ? undefined : this.#requests.get(name);
    if (name === undefined || lost === undefined || this.#now() - lost.at > longest)
      return { ...request, idempotencyKey: request.idempotencyKey ?? randomKey() };
    // A simultaneous request to add the same is meant to add it a second time.
    this.#requests.delete(name);
    const { body, idempotencyKey } = lost.request;
    return { ...request, body, idempotencyKey };
  }

  /** Remembers a request that failed without a definite answer. */
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

/** Whether the error leaves open if the request was carried out; the server may still be working on it. */
function isLost(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 0 || error.status >= 500 || error.code === 'IDEMPOTENCY_RUNNING';
}

function nameOf({ method, path, query, once }: ApiRequest, asker: string | undefined): string | undefined {
  return once === undefined ? undefined : JSON.stringify([asker, method, path, query, once]);
}
