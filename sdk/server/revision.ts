import { createHash } from 'node:crypto';
import { defineErrors, type JsonSchema } from '../shared/index.ts';

const revisionErrors = defineErrors({
  CHANGED_MEANWHILE: { status: 409, message: 'Somebody else changed this meanwhile.' },
});

/**
 * Identifies a state of an object that people edit: equal states have the same text, different ones another. Entities contain it
 * as `revision`, and clients send the revision that they changed as `replaces`.
 * @public
 */
export function revisionOf(state: unknown): string {
  return createHash('sha256').update(JSON.stringify(state, inOrder)).digest('base64url').slice(0, 22);
}

/** Sorts the keys of objects: the database returns them in another order than they were written. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** The field `replaces` of a body. `null`: the object did not exist. @public */
export const replacesSchema: JsonSchema = { type: ['string', 'null'], maxLength: 40 };

/**
 * Refuses a change that was made from another state than the present one. Call it where nobody else can write in between.
 *
 * @param replaces the revision that the caller changed; without it any present state is replaced
 * @param current the present revision; undefined if there is nothing
 * @throws TrellisError 409 `CHANGED_MEANWHILE` with the present `revision`, or null
 * @public
 */
export function requireRevision(replaces: string | null | undefined, current: string | undefined): void {
  const standing = current ?? null;
  if (replaces !== undefined && replaces !== standing)
    throw revisionErrors.create('CHANGED_MEANWHILE', { revision: standing });
}
