import type { ReadOptions } from '../../databases/database.ts';
import { DatabaseError } from '../../databases/index.ts';

/** Milliseconds for all reads of one call. */
const callLimit = 15_000;

/** What ends the next read of a call: the caller's disconnecting, or the remaining time of the call. */
export type CallLimits = () => Pick<ReadOptions, 'signal' | 'timeoutMs'>;

/**
 * Starts the time limit of a call that reads many times.
 *
 * @throws DatabaseError when the limits are requested: of kind `timeout` if no time is left, `cancelled` once the signal is
 * aborted.
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
