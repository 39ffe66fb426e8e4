import { formatRowKey, type CellValue, type RowKey } from '@trellis/sdk/shared';
import type { Cells } from '../databases/database.ts';
import { insertedKeys } from '../changes/keys-in-log.ts';
import type { RowChange } from '../changes/row-change.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { hasKeysOfOthers } from '../query/key-texts.ts';
import { selectIn, selectNewest, selectWhere } from '../query/select.ts';
import type { Binding } from '../sql/session.ts';
import { hasTextKey } from './key-in-row.ts';
import { keysOfEnds, linkedKey } from './keys-of-ends.ts';
import type { OpenTable } from './open-table.ts';
import { columnsOf, keyOf, keyOfWhere, whereOfCells, whereOfKey, type Where } from './row-keys.ts';
import { valuesOf } from './row-values.ts';

/** The change that happened; undefined when it did not happen. */
type Outcome = RowChange | undefined;

/** Rows beside the announced ones that may have been inserted since. */
const mostOthers = 1000;
/** Inserts that are searched for in the whole table. When none of so many is found, the others count as failed too: a call is one transaction. */
const mostSearched = 50;

/**
 * Which of the announced changes of one call happened, in their order. A call was one transaction of its database.
 *
 * @returns undefined when nobody can tell: a change names no row, or an insert no value.
 */
export async function findOutcomes(
  metadata: Metadata,
  open: OpenTable,
  changes: readonly RowChange[],
): Promise<readonly Outcome[] | undefined> {
  const isTellable = changes.every(({ op, rowKey, after }) =>
    op === 'insert'
      ? Object.keys(after ?? {}).length > 0
      : rowKey !== undefined && whereOfKey(open.plan, rowKey) !== undefined,
  );
  if (!isTellable) return undefined;
  const inserts = changes.filter(({ op }) => op === 'insert');
  const others = changes.filter(({ op }) => op !== 'insert');
  const found = new Map<RowChange, Outcome>([
    ...(inserts.length > 0 ? await insertOutcomes(metadata, open, inserts) : []),
    ...(others.length > 0 ? await keyedOutcomes(open, others) : []),
  ]);
  return changes.map((change) => found.get(change));
}

/** Rows that were changed or deleted are found by their keys. */
async function keyedOutcomes(
  open: OpenTable,
  changes: readonly RowChange[],
): Promise<readonly (readonly [RowChange, Outcome])[]> {
  const wanted = changes.map((change) => [change, movedKey(open, change)] as const);
  const rows = await rowsByKeys(
    open,
    wanted.map(([, where]) => where),
  );
  const outcomes: (readonly [RowChange, Outcome])[] = [];
  for (const [change, where] of wanted) {
    const cells = rows.get(keyOfWhere(where));
    if (change.op === 'delete') outcomes.push([change, cells === undefined ? change : undefined]);
    else {
      const isDone = cells !== undefined && (await holds(open, { where, cells, change }));
      outcomes.push([change, isDone ? { ...change, rowKey: keyOf(open.plan, cells) } : undefined]);
    }
  }
  return outcomes;
}

/** The key of a row after the change: an update may have changed the key. */
function movedKey({ plan }: OpenTable, { rowKey = '', op, after }: RowChange): Where {
  const where = whereOfKey(plan, rowKey) ?? [];
  if (op === 'delete') return where;
  return where.map(([codec, value]) => {
    const moved = after?.[codec.column.id];
    return [codec, moved === undefined || moved === null ? value : codec.encode(moved)] as const;
  });
}

/** Whether a row holds the values that an update set. Where the values look different, the database compares them, since it knows every form of a value. */
async function holds(
  { plan, database, context }: OpenTable,
  { where, cells, change }: { readonly where: Where; readonly cells: Cells; readonly change: RowChange },
): Promise<boolean> {
  const values = [...valuesOf(plan, change.after ?? {})];
  const others = values.filter(([codec, value]) => {
    const { decode, encode } = codec;
    return signature([decode(cells[plan.columns.indexOf(codec)])]) !== signature([decode(encode(value))]);
  });
  if (others.length === 0) return true;
  // The database may have found the row under a key in other letters than those that were set.
  if (others.some(([{ column }]) => column.primaryKey)) return false;
  const wanted = values
    .filter(([{ column }]) => !column.primaryKey)
    .map(([codec, value]) => [codec, codec.encode(value)] as const);
  const key = plan.key.map(({ column }) => column);
  const { rows } = await database.read((unit) =>
    unit.rows(selectWhere(context, key, columnsOf([...where, ...wanted]))),
  );
  return rows.length > 0;
}

/**
 * Rows whose keys the database made are found by their values, among the newest. A row that the log tells of already was
 * inserted by somebody else.
 */
async function insertOutcomes(
  metadata: Metadata,
  open: OpenTable,
  inserts: readonly RowChange[],
): Promise<readonly (readonly [RowChange, Outcome])[]> {
  const { plan, database, context } = open;
  const columns = plan.columns.map(({ column }) => column);
  const newest = await database.read((unit) =>
    unit.rows(selectNewest(context, columns, 2 * inserts.length + mostOthers)),
  );
  const keys = newest.rows.map((cells) => keyOf(plan, cells));
  const told = await insertedKeys(metadata, { tableId: plan.table.id, keys });
  const untold = newest.rows.filter((cells) => !told.has(keyOf(plan, cells)));
  const found = new Map<RowChange, RowKey>();
  for (const alike of groupBy(inserts, ({ after }) => Object.keys(after ?? {}).join(' ')).values())
    for (const [change, cells] of matchNewest(open, alike, untold)) found.set(change, keyOf(plan, cells));
  await searchOthers(metadata, open, inserts, found);
  return inserts.map((change) => {
    const rowKey = found.get(change);
    return [change, rowKey === undefined ? undefined : { ...change, rowKey }] as const;
  });
}

/** Gives each of the inserts, which all set the same columns, the newest row with its values; of equal ones in their order. */
function matchNewest(
  { plan }: OpenTable,
  inserts: readonly RowChange[],
  untold: readonly Cells[],
): readonly (readonly [RowChange, Cells])[] {
  const codecs = [...valuesOf(plan, inserts[0]?.after ?? {}).keys()];
  const places = codecs.map((codec) => plan.columns.indexOf(codec));
  const rows = groupBy(untold, (cells) =>
    signature(codecs.map(({ decode }, index) => decode(cells[places[index] ?? 0]))),
  );
  const wanted = groupBy(inserts, ({ after }) => {
    const values = valuesOf(plan, after ?? {});
    return signature(codecs.map((codec) => codec.decode(codec.encode(values.get(codec) ?? null))));
  });
  return [...wanted].flatMap(([values, equal]) => {
    const newest = (rows.get(values) ?? []).slice(0, equal.length).toReversed();
    return newest.map((cells, index) => [equal[index + equal.length - newest.length], cells] as const);
  }) as readonly (readonly [RowChange, Cells])[];
}

/** Looks in the whole table for inserts that are not among the newest rows: keys that do not grow, values of another form. */
async function searchOthers(
  metadata: Metadata,
  { plan, database, context }: OpenTable,
  inserts: readonly RowChange[],
  found: Map<RowChange, RowKey>,
): Promise<void> {
  const key = plan.key.map(({ column }) => column);
  const taken = new Set(found.values());
  let searched = 0;
  for (const change of inserts) {
    if (found.has(change)) continue;
    // One call is one transaction: either all of its rows are there or none.
    if (searched === mostSearched && found.size === 0) return;
    searched += 1;
    const where = [...valuesOf(plan, change.after ?? {})].map(
      ([codec, value]) => [codec, codec.encode(value)] as const,
    );
    const { rows } = await database.read((unit) => unit.rows(selectWhere(context, key, columnsOf(where))));
    const keys = rows
      .slice(-100)
      .map((cells) => formatRowKey(plan.key.map(({ decode }, index) => decode(cells[index]))));
    const told = await insertedKeys(metadata, { tableId: plan.table.id, keys });
    const row = keys.findLast((candidate) => !told.has(candidate) && !taken.has(candidate));
    if (row === undefined) continue;
    found.set(change, row);
    taken.add(row);
  }
}

/** Rows by the keys that they were asked for by, with all columns of the plan. */
async function rowsByKeys(open: OpenTable, keys: readonly Where[]): Promise<ReadonlyMap<RowKey, Cells>> {
  const { plan, database, context } = open;
  const columns = plan.columns.map(({ column }) => column);
  const [only, ...more] = plan.key;
  const rows: Cells[] = [];
  if (only !== undefined && more.length === 0) {
    for (const chunk of database.dialect.limits.chunkRows(1, keys)) {
      const values = chunk.map(([part]): Binding => part?.[1] ?? null);
      const answer = await database.read((unit) =>
        unit.rows(selectIn(context, columns, only.column, values)),
      );
      rows.push(...answer.rows);
    }
  } else {
    for (const where of keys) {
      const answer = await database.read((unit) =>
        unit.rows(selectWhere(context, columns, columnsOf(where))),
      );
      rows.push(...answer.rows);
    }
  }
  const byOwn = new Map(rows.map((cells) => [keyOf(plan, cells), cells]));
  if (byOwn.size === 0 || !hasTextKey(plan) || !hasKeysOfOthers(context)) return byOwn;
  return new Map([...(await rowsByOtherLetters(open, keys, rows)), ...byOwn]);
}

/** Rows under every asked key that their database holds to be the same as the row's key. */
async function rowsByOtherLetters(
  { plan, database, context }: OpenTable,
  keys: readonly Where[],
  rows: readonly Cells[],
): Promise<readonly (readonly [RowKey, Cells])[]> {
  const valuesIn = (where: Where) => where.map(([, value]) => value);
  const byValues = new Map(keys.map((where) => [linkedKey(valuesIn(where)), where]));
  const byEnd = new Map(rows.map((cells) => [linkedKey(valuesIn(whereOfCells(plan, cells))), cells]));
  const named = await keysOfEnds(
    { near: context, nearIds: plan.key.map(({ column }) => column.id) },
    {
      keys: [...byValues.values()].map(valuesIn),
      ends: [...byEnd.values()].map((cells) => valuesIn(whereOfCells(plan, cells))),
      // A call may name a row in several ways.
      areUnique: false,
      areOfKeys: true,
    },
    (statement) => database.read((unit) => unit.rows(statement)),
  );
  return [...named].flatMap(([end, asked]) => {
    const cells = byEnd.get(end);
    if (cells === undefined) return [];
    return asked.flatMap((values): readonly (readonly [RowKey, Cells])[] => {
      const where = byValues.get(values);
      return where === undefined ? [] : [[keyOfWhere(where), cells]];
    });
  });
}

/** Values as a text that is the same for the same values. */
function signature(values: readonly CellValue[]): string {
  return JSON.stringify(values);
}

function groupBy<T>(items: readonly T[], name: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = name(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
