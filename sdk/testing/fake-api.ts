import { ApiError, type ApiRequest, type ApiResponse } from '../web/index.ts';

/** Answers by `METHOD /path`, or one function for all requests. A function may throw `ApiError` to refuse. @public */
export type FakeApi =
  Readonly<Record<string, unknown>> | ((request: ApiRequest & { readonly method: string }) => unknown);

/** An answer of the fake server with headers and a body. @public */
export class FakeResponse {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: unknown, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.headers = headers;
  }
}

/** A complete request, with the parts that only the host uses. @internal */
export interface SentRequest extends ApiRequest {
  readonly as?: unknown;
  readonly onHeaders?: unknown;
}

/** Gives the test's answers, and records the requests. */
export function createFakeServer(
  answers: FakeApi,
  requests: ApiRequest[],
): (request: SentRequest) => Promise<ApiResponse<unknown>> {
  const answerTo = (request: ApiRequest): unknown => {
    const method = request.method ?? 'GET';
    if (typeof answers === 'function') return answers({ ...request, method });
    const key = `${method} ${request.path}`;
    if (!Object.hasOwn(answers, key)) {
      throw new ApiError(404, `The test has no answer for '${key}'; add one to 'api'.`);
    }
    const answer = answers[key];
    return typeof answer === 'function' ? (answer as (request: ApiRequest) => unknown)(request) : answer;
  };
  return async ({ as: _as, onHeaders: _onHeaders, ...request }) => {
    requests.push(request);
    await Promise.resolve();
    const answer = await answerTo(request);
    const { body, headers } = answer instanceof FakeResponse ? answer : new FakeResponse(answer, {});
    return { data: body, status: 200, headers };
  };
}
