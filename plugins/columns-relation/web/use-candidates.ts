import { messageOfError, useHost, type ApiRequest } from '@trellis/sdk/web';
import { useEffect, useState } from 'react';
import type { LinkedPage } from './link-calls.ts';

/** Milliseconds after the last key until a search is sent. */
const pause = 200;

interface Answer {
  /** What was searched for. */
  readonly search: string;
  readonly page: LinkedPage | undefined;
  readonly problem: string | undefined;
}

/**
 * The rows that a cell could be linked to. A search is sent when the person stops typing and ended when they go on; what was found
 * before stays in sight until the answer.
 *
 * @param of.version changes where the links did: the rows are read again
 */
export function useCandidates(
  requestOf: (of: { readonly search: string; readonly limit: number }) => ApiRequest,
  of: { readonly search: string; readonly limit: number; readonly version: number },
) {
  const host = useHost();
  const { api, t } = host;
  const { limit, version } = of;
  const search = of.search.trim();
  const [answer, setAnswer] = useState<Answer>();
  /** Rises when the person asks again after an error. */
  const [round, setRound] = useState(0);
  const isTyping = answer !== undefined && answer.search !== search;

  useEffect(() => {
    const ended = new AbortController();
    const read = async () => {
      const request = requestOf({ search, limit });
      try {
        const page = await api.request<LinkedPage>({ ...request, signal: ended.signal });
        if (!ended.signal.aborted) setAnswer({ search, page, problem: undefined });
      } catch (error) {
        if (!ended.signal.aborted) setAnswer({ search, page: undefined, problem: messageOfError(error, t) });
      }
    };
    const timer = setTimeout(() => void read(), isTyping ? pause : 0);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
    // eslint-disable-next-line react/exhaustive-deps -- what is asked is the same as long as the list is; an answer must not ask again
  }, [api, search, limit, version, round]);

  return {
    found: answer?.page?.list ?? [],
    total: answer?.page?.pageInfo.totalRows ?? 0,
    problem: answer?.problem,
    isLoading: answer === undefined,
    /** Whether what is found answers what was typed. */
    isAnswered: answer?.search === search && answer.page !== undefined,
    /** Asks the same again after an error. */
    retry() {
      setAnswer(undefined);
      setRound(round + 1);
    },
  };
}
