import { skipToken } from '@reduxjs/toolkit/query/react';
import {
  ApiError,
  OwnerContext,
  type ApiRequest,
  type ServerData,
  type ServerDataOptions,
} from '@trellis/sdk/web';
import { useContext, useMemo, useState } from 'react';
import type { CachedError, ServerCache } from './server-cache.ts';

const noTags: readonly string[] = [];

/**
 * Creates the hook that reads through the cache. After a change of the request, the old data is hidden unless `keepsLast` is set.
 */
export function createUseServerData(cache: ServerCache) {
  return function useServerData<T>(
    request: ApiRequest | undefined,
    { tags = noTags, isDraft = false, keepsLast = false }: ServerDataOptions = {},
  ): ServerData<T> {
    const owner = useContext(OwnerContext);
    const [since] = useState(() => Date.now());
    const result = cache.useReadQuery(
      request === undefined ? skipToken : { owner, request: cacheable(request), tags },
      { refetchOnMountOrArgChange: isDraft },
    );
    const { isFetching, refetch, isUninitialized, fulfilledTimeStamp = 0 } = result;
    const currentData: unknown = isDraft && fulfilledTimeStamp < since ? undefined : result.currentData;
    const last = useLast(keepsLast ? currentData : undefined, keepsLast ? tags.join(' ') : '');
    const data = currentData ?? (isFetching ? last : undefined);
    const cached = result.error as CachedError | undefined;
    const error = useMemo(
      () => cached && new ApiError(cached.status, cached.message, cached.code, cached.params),
      [cached],
    );
    return {
      data: data as T | undefined,
      error: isFetching && currentData === undefined ? undefined : error,
      isLoading: isFetching && data === undefined,
      isFetching,
      refetch: () => {
        if (!isUninitialized) void refetch();
      },
    };
  };
}

/** The parts that identify a request; signals and keys belong to a single call. */
function cacheable({ method, path, query, body, headers, label }: ApiRequest) {
  return { method, path, query, body, headers, label };
}

/** The last data under a name. */
function useLast(data: unknown, name: string): unknown {
  const [last, setLast] = useState({ name, data });
  if (last.name !== name || (data !== undefined && data !== last.data)) setLast({ name, data });
  return last.name === name ? last.data : undefined;
}
