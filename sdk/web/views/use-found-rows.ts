import { useEffect, useState } from 'react';
import type { Row } from '../../shared/index.ts';
import type { ApiRequest } from '../api.ts';
import { messageOfError } from '../attempt.ts';
import { useHost } from '../host.tsx';
import type { FoundPage, RowsAsked } from '../rows-by-name.ts';

/** Milliseconds after the last key until a search is sent. */
const pause = 200;

/** The found rows, and whether they belong to the last request. @public */
export interface FoundRows {
  readonly found: readonly Row[];
  readonly total: number;
  readonly problem: string | undefined;
  /** Before the first answer. */
  readonly isLoading: boolean;
  /** Whether the results belong to the typed text. */
  readonly isAnswered: boolean;
  /** Repeats the request after an error. */
  retry(this: void): void;
}

interface Answer {
  /** The searched text. */
  readonly search: string;
  readonly page: FoundPage | undefined;
  readonly problem: string | undefined;
}

/**
 * Rows to choose from. A search is sent when the person stops typing and cancelled when they continue; former results stay visible
 * until the answer.
 *
 * @param of.version changes with the rows, which are then reloaded
 * @public
 */
export function useFoundRows(
  requestOf: (of: RowsAsked) => ApiRequest,
  of: RowsAsked & { readonly version?: number },
): FoundRows {
  const host = useHost();
  const { api, sharedT: t } = host;
  const { limit, version = 0 } = of;
  const search = of.search.trim();
  const [answer, setAnswer] = useState<Answer>();
  /** Increased for a retry after an error. */
  const [round, setRound] = useState(0);
  const isTyping = answer === undefined ? search !== '' : answer.search !== search;

  useEffect(() => {
    const ended = new AbortController();
    const read = async () => {
      const request = requestOf({ search, limit });
      try {
        const page = await api.request<FoundPage>({ ...request, signal: ended.signal });
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
    isAnswered: answer?.search === search && answer.page !== undefined,
    retry() {
      setAnswer(undefined);
      setRound(round + 1);
    },
  };
}
