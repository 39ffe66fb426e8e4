import { DatabaseError } from '../../sql/database-error.ts';
import type { DatabaseSnapshot, SnapshotOptions, StreamOptions } from '../database.ts';
import { compileQuery } from '../compile-query.ts';
import type { SessionStatement } from '../../sql/session.ts';
import type { Query } from '../../sql/unit.ts';
import { streamBatches, STREAM_WAIT, type HeldCursor, type IdleStreams } from './stream-batches.ts';
import type { SemaphoreLimits } from './semaphore.ts';

/** How long a snapshot lasts at the most. Milliseconds. */
const LASTS_MS = 60 * 60 * 1000;

/** How many snapshots of a database are open at once. */
export const SNAPSHOTS = 2;
/** A caller waits for a snapshot as long as one may last: snapshots serve background work. */
export const SNAPSHOT_WAIT: SemaphoreLimits = { ...STREAM_WAIT, waitMs: LASTS_MS, held: 1 };

export interface SnapshotParts {
  /** Opens a cursor at the moment. There is one at a time. */
  openCursor(statement: SessionStatement, options: StreamOptions): Promise<HeldCursor>;
  /** Ends the transaction and gives everything back, in the middle of a fetch as well. Does not reject. */
  end(): Promise<void>;
}

/** Lends a transaction that sees one moment to one stream after the other, until it is closed, its time is over or its signal aborts. */
export function holdSnapshot(
  { openCursor, end }: SnapshotParts,
  { lastsMs = LASTS_MS, signal }: SnapshotOptions,
  idle: IdleStreams,
): DatabaseSnapshot {
  let ending: Promise<void> | undefined;
  let isReading = false;
  const close = (): Promise<void> => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    return (ending ??= end());
  };
  const onAbort = () => void close();
  const timer = setTimeout(onAbort, lastsMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted === true) onAbort();

  const assertOpen = () => {
    if (signal?.aborted === true) throw new DatabaseError('cancelled', { cause: signal.reason });
    if (ending !== undefined) throw new DatabaseError('timeout', { code: 'SNAPSHOT_ENDED' });
  };
  const open = async (statement: SessionStatement, options: StreamOptions): Promise<HeldCursor> => {
    assertOpen();
    if (isReading) throw new Error('A snapshot reads one query after the other');
    isReading = true;
    try {
      const cursor = await openCursor(statement, options);
      return {
        async fetch(count) {
          assertOpen();
          try {
            return await cursor.fetch(count);
          } catch (error) {
            // What ended it tells more than how its connection was lost.
            assertOpen();
            throw error;
          }
        },
        interrupt: onAbort,
        async close() {
          if (ending === undefined) await cursor.close();
          isReading = false;
        },
      };
    } catch (error) {
      isReading = false;
      throw error;
    }
  };
  return {
    stream: (query: Query, options = {}) => {
      const statement = compileQuery(query);
      return streamBatches(() => open(statement, options), options, idle);
    },
    close,
  };
}
