/**
 * Why a database could not answer now: it was busy, unreachable or slow, or it ended a stream whose reader stalled.
 * @public
 */
export type OutageCode = 'DATABASE_BUSY' | 'DATABASE_UNREACHABLE' | 'DATABASE_TIMEOUT' | 'STREAM_STALLED';

const outages: ReadonlySet<unknown> = new Set<OutageCode>([
  'DATABASE_BUSY',
  'DATABASE_UNREACHABLE',
  'DATABASE_TIMEOUT',
  'STREAM_STALLED',
]);

/** Whether something failed because a database could not answer now: it may succeed later. @public */
export function isOutage(error: unknown): error is Error & { readonly code: OutageCode } {
  return error instanceof Error && 'code' in error && outages.has(error.code);
}
