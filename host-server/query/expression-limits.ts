import type { TrellisError } from '@trellis/sdk/shared';
import { sizeOf, type SqlFragment } from '../sql/fragment.ts';
import { queryErrors } from './query-errors.ts';

/**
 * The limits of the SQL of one value, the same on all databases. SQLite reads expressions of 1,000 levels and MariaDB as many as
 * its stack takes; one level of a fragment may be up to four of theirs. SQL Server takes 2,100 bindings in a statement. Formulas
 * over formulas double their SQL at each step, so longer SQL is never intended.
 */
const largest = { length: 100_000, bindings: 2000, depth: 250 };

/** The most levels of a tree. The compiler recurses, so its stack sets the limit. */
export const deepestTree = 800;

export function tooLarge(most: Partial<typeof largest> = {}): TrellisError {
  const { length, bindings, depth } = { ...largest, ...most };
  return queryErrors.create('EXPRESSION_TOO_LARGE', { length, bindings, depth });
}

/** @throws TrellisError 400 `EXPRESSION_TOO_LARGE` */
export function assertSmall(fragment: SqlFragment): void {
  const { length, bindings, depth } = sizeOf(fragment);
  if (length > largest.length || bindings > largest.bindings || depth > largest.depth) throw tooLarge();
}

/** Returns a function that adds up the sizes of fragments, and throws as `assertSmall` does as soon as the sum is too large. */
export function summing(most: Pick<typeof largest, 'length' | 'bindings'> = largest) {
  let [ofLength, ofBindings] = [0, 0];
  return (fragment: SqlFragment): void => {
    const { length, bindings } = sizeOf(fragment);
    ofLength += length;
    ofBindings += bindings;
    if (ofLength > most.length || ofBindings > most.bindings) throw tooLarge(most);
  };
}
