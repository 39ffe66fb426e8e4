/** With these codes a read or a write fails whose database could not answer. */
const outages = ['DATABASE_BUSY', 'DATABASE_UNREACHABLE', 'DATABASE_TIMEOUT'] as const;

/** Why a database could not answer at this moment: it was busy, away or slow. @public */
export type OutageCode = (typeof outages)[number];

/** Whether something failed because a database could not answer at this moment: the same may succeed later. @public */
export function isOutage(error: unknown): error is Error & { readonly code: OutageCode } {
  const codes: readonly unknown[] = outages;
  return error instanceof Error && 'code' in error && codes.includes(error.code);
}
