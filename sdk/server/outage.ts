/**
 * Why a database could not answer at this moment: it was busy, away or slow, or it ended a reading whose rows nobody asked for meanwhile.
 * @public
 */
export type OutageCode = 'DATABASE_BUSY' | 'DATABASE_UNREACHABLE' | 'DATABASE_TIMEOUT' | 'STREAM_STALLED';

const outages: ReadonlySet<unknown> = new Set<OutageCode>([
  'DATABASE_BUSY',
  'DATABASE_UNREACHABLE',
  'DATABASE_TIMEOUT',
  'STREAM_STALLED',
]);

/** Whether something failed because a database could not answer at this moment: the same may succeed later. @public */
export function isOutage(error: unknown): error is Error & { readonly code: OutageCode } {
  return error instanceof Error && 'code' in error && outages.has(error.code);
}
