import { ApiError, type ApiClient, type ApiRequest, type ApiResponse } from '../api.ts';
import { sendAsVisitor, type VisitedView } from '../visited-view.ts';

/** Answers that are remembered, those that were asked for last: some pages, counts and groups. */
const mostKnown = 60;

type Visit = Pick<VisitedView, 'password' | 'onRefused'>;

interface Known {
  readonly mark: string;
  readonly answer: ApiResponse<unknown>;
}

/**
 * The way to the server for the rows of a view that whoever has its link looks at. Of what was answered before only that is sent which is
 * another answer by now, so that they can be asked for again and again.
 */
export class VisitedApi implements ApiClient {
  readonly #api: ApiClient;
  #visit: Visit;
  readonly #known = new Map<string, Known>();

  constructor(api: ApiClient, visit: Visit) {
    this.#api = api;
    this.#visit = visit;
  }

  /** Takes the password over that the visitor gave since then. */
  update(visit: Visit): void {
    this.#visit = visit;
  }

  async request<T>(request: ApiRequest): Promise<T> {
    return (await this.send<T>(request)).data;
  }

  send<T>(request: ApiRequest): Promise<ApiResponse<T>> {
    return sendAsVisitor(this.#now, (headers) => this.#ask<T>(withHeaders(request, headers)));
  }

  download(request: ApiRequest, fileName: string): Promise<void> {
    return sendAsVisitor(this.#now, (headers) => this.#api.download(withHeaders(request, headers), fileName));
  }

  /** From now on everything is asked for anew: for a moment the server believes that nothing changed without looking. */
  forget(): void {
    this.#known.clear();
  }

  readonly #now = (): Visit => this.#visit;

  async #ask<T>(request: ApiRequest): Promise<ApiResponse<T>> {
    const name = JSON.stringify([request.path, request.query]);
    const known = this.#known.get(name);
    const asked = known === undefined ? request : withHeaders(request, { 'if-none-match': known.mark });
    try {
      const answer = await this.#api.send<T>(asked);
      const mark = answer.headers.etag;
      if (mark !== undefined) this.#keep(name, { mark, answer });
      return answer;
    } catch (error) {
      if (known === undefined || !(error instanceof ApiError) || error.status !== 304) throw error;
      this.#keep(name, known);
      return known.answer as ApiResponse<T>;
    }
  }

  #keep(name: string, known: Known): void {
    this.#known.delete(name);
    this.#known.set(name, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest);
  }
}

function withHeaders(request: ApiRequest, headers: Readonly<Record<string, string>>): ApiRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}
