import { useEffect, useState } from 'react';
import type { GroupKey } from '../../shared/index.ts';
import type { GroupAnswer } from './row-groups.ts';
import type { RowsClient } from './rows-client.ts';

/** Milliseconds without a change after which rows are counted. */
const quiet = 300;

/**
 * The groups of the rows by these keys as the server counts them, and again when the rows change; undefined until they are known, where they
 * cannot be, and without keys. Other keys are other objects: an answer is of those that it was asked for.
 *
 * @public
 */
export function useGroupAnswers(
  rows: Pick<RowsClient, 'groups' | 'source'>,
  keys: readonly GroupKey[] | undefined,
): readonly GroupAnswer[] | undefined {
  const [counted, setCounted] = useState<{
    readonly keys: readonly GroupKey[];
    readonly answers: readonly GroupAnswer[];
  }>();
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
        if (!left.signal.aborted) setCounted({ keys: of, answers });
      } catch {
        // The rows say themselves why they cannot be read. What was counted before is not true of what they are now.
        if (!left.signal.aborted) setCounted(undefined);
      }
      isReading = false;
      if (isStale && !left.signal.aborted) soon();
    }
    /** What is on its way is not given up: to count is the costly part. */
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
  return counted !== undefined && counted.keys === keys ? counted.answers : undefined;
}
