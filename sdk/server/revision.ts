import { createHash } from 'node:crypto';
import { defineErrors, type JsonSchema } from '../shared/index.ts';

const revisionErrors = defineErrors({
  CHANGED_MEANWHILE: { status: 409, message: 'Somebody else changed this meanwhile.' },
});

/**
 * Names a state of something that people edit: the same text for the same state, another one once anything of it is another. Entities
 * carry it as `revision`, and whoever changes one sends back as `replaces` what they began from.
 * @public
 */
export function revisionOf(state: unknown): string {
  return createHash('sha256').update(JSON.stringify(state, inOrder)).digest('base64url').slice(0, 22);
}

/** Keys of objects in one order: what was read from a database has another one than what was written. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** The field `replaces` of a body. `null`: there was nothing yet. @public */
export const replacesSchema: JsonSchema = { type: ['string', 'null'], maxLength: 40 };

/**
 * Refuses a change that was made over another state than stands now. Call it where nobody else can write in between.
 *
 * @param replaces what the caller began from; whoever leaves it out changes what there is, whatever it is
 * @param current the revision that stands now; undefined where there is nothing
 * @throws TrellisError 409 `CHANGED_MEANWHILE` with the `revision` that stands now, or null
 * @public
 */
export function requireRevision(replaces: string | null | undefined, current: string | undefined): void {
  const standing = current ?? null;
  if (replaces !== undefined && replaces !== standing)
    throw revisionErrors.create('CHANGED_MEANWHILE', { revision: standing });
}
