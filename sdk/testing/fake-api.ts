import type { Emitter } from '@trellis/core';
import { useEffect, useState } from 'react';
import { ApiError, type ApiClient, type ApiRequest, type ServerData } from '../web/index.ts';

/** Answers by `METHOD /path`, or one function for all. A function may throw `ApiError` to refuse. @public */
export type FakeApi =
  Readonly<Record<string, unknown>> | ((request: ApiRequest & { readonly method: string }) => unknown);

/** An answer of the fake server with headers beside its body. @public */
export class FakeResponse {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: unknown, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.headers = headers;
  }
}

/** A client of a server that only answers what a test says; requests are noted. */
export function createFakeApi(answers: FakeApi, requests: ApiRequest[]): ApiClient {
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
  const respond = async (request: ApiRequest): Promise<FakeResponse> => {
    requests.push(request);
    await Promise.resolve();
    const answer = await answerTo(request);
    return answer instanceof FakeResponse ? answer : new FakeResponse(answer, {});
  };
  return {
    request: async <T>(request: ApiRequest) => (await respond(request)).body as T,
    send: async <T>(request: ApiRequest) => {
      const { body, headers } = await respond(request);
      return { data: body as T, status: 200, headers };
    },
    download: async (request) => {
      await respond(request);
    },
  };
}

interface PlainData {
  /** The request that the answer belongs to. */
  readonly of: string;
  readonly data?: unknown;
  readonly error?: ApiError;
}

/** Reads from the fake server without a cache. */
export function usePlainData<T>(
  api: ApiClient,
  invalidated: Emitter<readonly string[]>,
  request: ApiRequest | undefined,
  tags: readonly string[],
): ServerData<T> {
  const [state, setState] = useState<PlainData>({ of: '' });
  const [round, setRound] = useState(0);
  const key = request === undefined ? '' : JSON.stringify(request);
  const tagKey = tags.join('\n');
  useEffect(() => {
    if (key === '') return undefined;
    let current = true;
    api.request<unknown>(JSON.parse(key) as ApiRequest).then(
      (data) => current && setState({ of: key, data }),
      (error: unknown) => current && setState({ of: key, error: error as ApiError }),
    );
    return () => {
      current = false;
    };
  }, [api, key, round]);
  useEffect(() => {
    const subscription = invalidated.event((changed) => {
      if (changed.some((tag) => tagKey.split('\n').includes(tag))) setRound((before) => before + 1);
    });
    return () => void subscription.dispose();
  }, [invalidated, tagKey]);
  const known = state.of === key && key !== '';
  return {
    data: known ? (state.data as T | undefined) : undefined,
    error: known ? state.error : undefined,
    isLoading: key !== '' && !known,
    isFetching: key !== '' && !known,
    refetch: () => setRound((before) => before + 1),
  };
}
