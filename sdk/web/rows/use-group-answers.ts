import { useEffect, useState } from 'react';
import type { GroupKey } from '../../shared/index.ts';
import type { GroupAnswer } from './row-groups.ts';
import type { RowsClient } from './rows-client.ts';

/** Milliseconds without a change after which rows are counted. */
const quiet = 300;

/** Groups as far as they are loaded. @public */
export interface GroupAnswers {
  /** Undefined until they are loaded, if they cannot be, and without keys. */
  readonly answers: readonly GroupAnswer[] | undefined;
  /** Why they could not be counted; they are counted again when the rows change, or when requested. */
  readonly error: Error | undefined;
}

const nothing: GroupAnswers = { answers: undefined, error: undefined };

/**
 * The groups of the rows by these keys, counted by the server again when the rows change. Other keys must be other objects, since
 * an answer belongs to its keys.
 *
 * @public
 */
export function useGroupAnswers(
  rows: Pick<RowsClient, 'groups' | 'source'>,
  keys: readonly GroupKey[] | undefined,
): GroupAnswers {
  const [counted, setCounted] = useState<GroupAnswers & { readonly keys: readonly GroupKey[] }>();
  useEffect(() => {
    if (keys === undefined) return undefined;
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isReading = false;
    let isStale = false;
    async function read(of: readonly GroupKey[]): Promise<void> {
      [isReading, isStale] = [true, false];
      try {
        const answers = await rows.groups(of, left.signal);
        if (!left.signal.aborted) setCounted({ keys: of, answers, error: undefined });
      } catch (failure) {
        // The former count does not apply to the current rows.
        const error = failure instanceof Error ? failure : new Error(String(failure));
        if (!left.signal.aborted) setCounted({ keys: of, answers: undefined, error });
      }
      isReading = false;
      if (isStale && !left.signal.aborted) soon();
    }
    /** A running request is not cancelled, since counting is the expensive part. */
    function soon(): void {
      isStale = true;
      if (isReading || keys === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(() => void read(keys), quiet);
    }
    soon();
    const unsubscribe = rows.source.subscribe(soon);
    return () => {
      unsubscribe();
      clearTimeout(timer);
      left.abort();
    };
  }, [rows, keys]);
  return counted !== undefined && counted.keys === keys ? counted : nothing;
}
