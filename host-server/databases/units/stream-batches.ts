import { DatabaseError } from '../../sql/database-error.ts';
import type { RowSet } from '../../sql/unit.ts';
import type { StreamOptions } from '../database.ts';
import { withinLimits } from './limited.ts';
import type { SemaphoreLimits } from './semaphore.ts';

export const DEFAULT_BATCH = 500;
const DEFAULT_STALL_MS = 30_000;

/** Open streams of a database at a time: two of one share, such as the visitors of one project, and one for others. */
export const STREAMS = 3;

/** How the streams of a database queue: downloads wait long, but no share fills the queue. */
export const STREAM_WAIT: SemaphoreLimits = { most: 200, perShare: 20, waitMs: 60_000 };

export interface RowBatch extends RowSet {
  readonly isLast: boolean;
}

/** An open cursor with everything that it holds: turn, connection, transaction. */
export interface HeldCursor {
  fetch(count: number): Promise<RowBatch>;
  /** Ends the running fetch. */
  interrupt(): void;
  /** Releases everything, once. Does not reject. */
  close(): Promise<void>;
}

/** The streams of a database whose consumers have a batch and have not requested the next one. */
export class IdleStreams {
  readonly #idle = new Set<{ readonly since: number; readonly end: () => void }>();

  /** Calls `end` once `stallMs` have passed, unless the returned function was called before. */
  watch(stallMs: number, end: () => void): () => void {
    const timer = setTimeout(() => {
      leave();
      end();
    }, stallMs);
    const entry = { since: performance.now(), end };
    const leave = () => {
      clearTimeout(timer);
      this.#idle.delete(entry);
    };
    this.#idle.add(entry);
    return leave;
  }

  /** Ends the streams that have been idle for longer than `ms`, when somebody needs their locks. */
  endIdle(ms: number): void {
    const now = performance.now();
    for (const entry of this.#idle) if (now - entry.since > ms) entry.end();
  }
}

/**
 * Returns batches on demand.
 *
 * A consumer that requests nothing within the stall limit loses its cursor, so that a paused download holds no turn, connection,
 * snapshot or lock; its next request fails with kind `timeout`, code `STREAM_STALLED`.
 */
export async function* streamBatches(
  open: () => Promise<HeldCursor>,
  options: StreamOptions,
  idle: IdleStreams,
): AsyncGenerator<RowSet, void, undefined> {
  const size = options.batchSize ?? DEFAULT_BATCH;
  const cursor = await open();
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= cursor.close());
  try {
    for (;;) {
      const { columns, rows, isLast } = await withinLimits(
        options,
        () => cursor.interrupt(),
        () => cursor.fetch(size),
      );
      if (rows.length > 0) {
        const stopTheClock =
          options.job === true
            ? () => {}
            : idle.watch(options.stallMs ?? DEFAULT_STALL_MS, () => void close());
        try {
          yield { columns, rows };
        } finally {
          stopTheClock();
        }
        if (closing !== undefined) throw new DatabaseError('timeout', { code: 'STREAM_STALLED' });
      }
      if (isLast) return;
    }
  } finally {
    await close();
  }
}
