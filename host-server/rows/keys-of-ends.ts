import type { CompileContext } from '../query/compile-context.ts';
import { selectSpellings } from '../query/partitions.ts';
import { inParts } from '../sql/in-parts.ts';
import type { Binding } from '../sql/session.ts';
import type { SqlFragment } from '../sql/fragment.ts';
import type { RowSet } from '../sql/unit.ts';

/** Keys that are asked at once for the values which are the same to the database. */
const atOnce = 100;

/** Values of a link's columns as they come from the database, as a key of a map. */
export function linkedKey(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : JSON.stringify(values.map(String));
}

interface LinkedEnds {
  readonly keys: readonly (readonly Binding[])[];
  /** The values that the rows hold which were read by these keys. */
  readonly ends: ReadonlySet<string>;
  /** Whether no two of the keys are the same to the database. */
  readonly areUnique: boolean;
}

/**
 * The keys by which rows are linked, by the values that these rows hold. They are the same texts, but where the database holds other texts to
 * be the same ones: that is asked where rows came by none of the keys, or no row came by a key that may be the same as another one.
 *
 * @param of the table that holds the values, and its columns
 */
export async function keysOfEnds(
  { near, nearIds }: { readonly near: CompileContext; readonly nearIds: readonly string[] },
  { keys, ends, areUnique }: LinkedEnds,
  read: (statement: SqlFragment) => Promise<RowSet>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const texts = new Set(keys.map(linkedKey));
  const named = new Map<string, string[]>(
    [...ends].map((end): [string, string[]] => [end, texts.has(end) ? [end] : []]),
  );
  const isAnyUnknown = [...ends].some((end) => !texts.has(end));
  const asked =
    ends.size === 0 ? [] : keys.filter((key) => isAnyUnknown || (!areUnique && !ends.has(linkedKey(key))));
  for (const part of inParts(asked, atOnce)) {
    const statement = selectSpellings(near, nearIds, part);
    if (statement === undefined) return named;
    for (const [place, ...end] of (await read(statement)).rows) {
      const key = linkedKey(part[Number(place)] ?? []);
      const known = named.get(linkedKey(end));
      if (known?.includes(key) === false) known.push(key);
    }
  }
  return named;
}
