import type { ReadOptions } from '../../databases/database.ts';
import { DatabaseError } from '../../databases/index.ts';

/** Milliseconds for all reads of one call. */
const callLimit = 15_000;

/** What ends the next read of a call: its caller who goes away, or the time that the call has left. */
export type CallLimits = () => Pick<ReadOptions, 'signal' | 'timeoutMs'>;

/**
 * Begins the time of a call that reads many times.
 *
 * @throws DatabaseError when limits are asked for: of kind `timeout` where no time is left, `cancelled` once the signal is aborted.
 */
export function limitsOfCall(signal: AbortSignal | undefined): CallLimits {
  const until = performance.now() + callLimit;
  return () => {
    if (signal?.aborted === true) throw new DatabaseError('cancelled');
    const timeoutMs = Math.ceil(until - performance.now());
    if (timeoutMs <= 0) throw new DatabaseError('timeout');
    return { timeoutMs, ...(signal && { signal }) };
  };
}
