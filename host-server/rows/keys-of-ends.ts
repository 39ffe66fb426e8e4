import type { CompileContext } from '../query/compile-context.ts';
import { hasKeysOfOthers } from '../query/key-texts.ts';
import { selectSpellings } from '../query/partitions.ts';
import { inParts } from '../sql/in-parts.ts';
import type { Binding } from '../sql/session.ts';
import type { SqlFragment } from '../sql/fragment.ts';
import type { RowSet } from '../sql/unit.ts';

/** Keys that one statement compares with the values of rows. */
const atOnce = 200;

/** Values of the columns of a link. */
type Values = readonly Binding[];

/** Values of a link's columns as they come from the database, as a key of a map. */
export function linkedKey(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : JSON.stringify(values.map(String));
}

/** Each of the keys once. */
export function distinctKeys(keys: readonly Values[]): readonly Values[] {
  return [...new Map(keys.map((key) => [linkedKey(key), key])).values()];
}

/** The columns by which rows are linked, and the table that has them. */
interface LinkingColumns {
  readonly near: CompileContext;
  readonly nearIds: readonly string[];
}

interface LinkedEnds {
  readonly keys: readonly Values[];
  /** The values that rows hold. */
  readonly ends: readonly Values[];
  /** True when the database holds no two of the keys to be the same, as with the primary keys of rows. */
  readonly areUnique: boolean;
  /** True when the rows were read by the keys, so that each row belongs to one key. */
  readonly areOfKeys: boolean;
}

/**
 * The keys that are the same to the database as the values of rows, by these values. They are the same texts most often; the database is
 * asked only where others may be.
 */
export async function keysOfEnds(
  { near, nearIds }: LinkingColumns,
  { keys, ends, areUnique, areOfKeys }: LinkedEnds,
  read: (statement: SqlFragment) => Promise<RowSet>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const texts = new Set(keys.map(linkedKey));
  const byText = new Map(ends.map((end) => [linkedKey(end), end]));
  const named = new Map<string, string[]>(
    [...byText.keys()].map((end): [string, string[]] => [end, texts.has(end) ? [end] : []]),
  );
  const mayDiffer = mayLookOtherwise(near);
  const unknown = () => [...byText].flatMap(([text, end]) => (named.get(text)?.length === 0 ? [end] : []));
  const sought = () => (areUnique ? unknown() : [...byText.values()]);
  /** Whether keys that do not look like any of the values are to be compared with them. */
  const isAnyKeySought = () =>
    unknown().length > 0 ? mayDiffer || areOfKeys : !areUnique && mayDiffer && byText.size > 0;

  /** Notes which of the keys are the same as values, and gives the other ones. */
  async function compare(part: readonly Values[]): Promise<readonly Values[]> {
    const statement = selectSpellings(near, nearIds, { keys: part, ends: sought() });
    if (statement === undefined) return [];
    const found = new Set<Values>();
    for (const [place, ...end] of (await read(statement)).rows) {
      const key = part[Number(place)];
      const known = named.get(linkedKey(end));
      if (key === undefined || known === undefined) continue;
      found.add(key);
      if (!known.includes(linkedKey(key))) known.push(linkedKey(key));
    }
    // Of keys that are the same as each other, one is found at a time.
    return areUnique || found.size === 0 ? [] : part.filter((key) => !found.has(key));
  }

  async function compareAll(some: readonly Values[], isSought: () => boolean): Promise<void> {
    for (const part of inParts(some, atOnce)) {
      let left = part;
      while (left.length > 0 && isSought()) left = await compare(left);
    }
  }

  const asked = areUnique ? keys : keys.filter((key) => !byText.has(linkedKey(key)));
  const likenesses = new Set(sought().map(likeness));
  const isAlike = (key: Values) => likenesses.has(likeness(key));
  await compareAll(asked.filter(isAlike), () => sought().length > 0);
  await compareAll(
    asked.filter((key) => !isAlike(key)),
    isAnyKeySought,
  );
  return named;
}

/** Whether the database may hold texts to be the same whatever they look like. */
function mayLookOtherwise(context: CompileContext): boolean {
  return context.dialect.functions.ofKeys !== undefined && hasKeysOfOthers(context);
}

/** What values have in common that most collations hold to be the same: without case, accents and blanks behind them. */
function likeness(values: Values): string {
  return linkedKey(
    values.map((value) =>
      String(value)
        .normalize('NFKD')
        .replaceAll(/\p{Mark}/gu, '')
        .toUpperCase()
        .trim(),
    ),
  );
}
