import { createApi, defaultSerializeQueryArgs, type BaseQueryFn } from '@reduxjs/toolkit/query/react';
import type { ApiClient, ApiRequest } from '@trellis/sdk/web';
import { ApiError } from '@trellis/sdk/web';
import { messageOfError } from './error-from-response.ts';

/** A request as the cache stores it: with its first requester and its tags. */
export interface CachedRequest {
  /** The plugin that asked first. When it is disabled, its entries are removed unless something else shows them. */
  readonly owner: string;
  readonly request: Pick<ApiRequest, 'method' | 'path' | 'query' | 'body' | 'headers' | 'label'>;
  readonly tags: readonly string[];
}

/** `ApiError` as plain data, because the store holds only plain data. */
export interface CachedError {
  readonly status: number;
  readonly message: string;
  readonly code: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
}

export type ServerCache = ReturnType<typeof createServerCache>;

/**
 * The cache of server data: one slice with one generic endpoint.
 *
 * Endpoints cannot be removed from a slice, but entries can, so plugins add no endpoints. Callers with the same request and the
 * same tags share one entry.
 */
export function createServerCache(api: () => ApiClient) {
  const baseQuery: BaseQueryFn<CachedRequest, unknown, CachedError> = async ({ request }, { signal }) => {
    try {
      return { data: await api().request<unknown>({ ...request, signal }) };
    } catch (error) {
      return { error: toCachedError(error) };
    }
  };
  return createApi({
    reducerPath: 'server',
    baseQuery,
    tagTypes: ['data'],
    endpoints: (build) => ({
      read: build.query<unknown, CachedRequest>({
        query: (cached) => cached,
        serializeQueryArgs: ({ queryArgs: { request, tags }, ...rest }) =>
          defaultSerializeQueryArgs({ ...rest, queryArgs: [request, tags.toSorted()] }),
        providesTags: (_data, _error, { owner, tags }) =>
          [...tags, ownerTag(owner)].map((id) => ({ type: 'data' as const, id })),
      }),
    }),
  });
}

/** The tag of all data that a plugin requested. */
export function ownerTag(owner: string): string {
  return `owner:${owner}`;
}

function toCachedError(error: unknown): CachedError {
  if (!(error instanceof ApiError)) {
    return { status: 0, message: messageOfError(error), code: undefined, params: {} };
  }
  const { status, message, code, params } = error;
  return { status, message, code, params };
}
