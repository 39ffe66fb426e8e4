import { DatabaseError } from '../../sql/database-error.ts';
import type { UnitOptions } from '../database.ts';

/**
 * Runs `work` within the limits of a unit.
 *
 * When the limit is hit, `end` is called once, to stop the statement that runs, and the result rejects at once with kind
 * `cancelled` or `timeout`, whatever becomes of `work`.
 */
export async function withinLimits<T>(
  options: UnitOptions,
  end: () => void,
  work: () => Promise<T>,
): Promise<T> {
  const { signal, timeoutMs } = options;
  if (signal?.aborted === true) throw new DatabaseError('cancelled', { cause: signal.reason });
  if (signal === undefined && timeoutMs === undefined) return work();

  let release = () => {};
  const limit = new Promise<never>((_, reject) => {
    const stop = (kind: 'cancelled' | 'timeout') => {
      reject(new DatabaseError(kind));
      end();
    };
    const onAbort = () => stop('cancelled');
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop('timeout'), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    release = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
  });
  // Asynchronous also where `work` throws at once: the timer must be released then, too.
  const working = (async () => work())();
  // The work may still fail after the limit has answered for it; that failure is not told twice.
  working.catch(() => {});
  limit.catch(() => {});
  try {
    return await Promise.race([working, limit]);
  } finally {
    release();
  }
}
