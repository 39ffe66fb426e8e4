import { ApiError, type ApiClient, type ApiRequest, type ApiResponse } from '../api.ts';
import { sendAsVisitor, type VisitedView } from '../visited-view.ts';

/** The most cached answers, the most recent ones: some pages, counts and groups. */
const mostKnown = 60;

type Visit = Pick<VisitedView, 'password' | 'onRefused'>;

interface Known {
  readonly mark: string;
  readonly answer: ApiResponse<unknown>;
}

/** Reads the rows of a view through its link. Only changed answers are transferred, so that they can be requested frequently. */
export class VisitedApi implements ApiClient {
  readonly #api: ApiClient;
  #visit: Visit;
  readonly #known = new Map<string, Known>();

  constructor(api: ApiClient, visit: Visit) {
    this.#api = api;
    this.#visit = visit;
  }

  /** Updates the password that the visitor entered since. */
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

  /** From now on everything is loaded again: for a short time the server does not check whether something changed. */
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
