import type { RowKey } from '@trellis/sdk/shared';
import type { Knex } from 'knex';
import type { Dialect } from '../dialects/dialect.ts';
import type { Metadata } from '../metadata/metadata.ts';
import type { Unit } from '../sql/unit.ts';
import { mostRowsOfEntry, wholeNumber } from './batch-rows.ts';
import { placesOf, readEntries, type EntryPlace } from './read-entries.ts';
import { storedRowKey } from './stored-row-key.ts';

/** The rows of a table that an operation deleted. */
export interface DeletedKeys {
  readonly tableId: string;
  readonly keys: readonly RowKey[];
  /** How many of them were deleted for good. */
  readonly purged: number;
  /** Whether undo deleted them: it took back that they were added, or that they had come back. */
  readonly isUndo: boolean;
  /** The numbers of the first and the last of these entries. */
  readonly first: number;
  readonly last: number;
}

interface OperationOf {
  readonly projectId: string;
  readonly operationId: string;
}

function deletionsBy(unit: Unit, { projectId, operationId }: OperationOf): Knex.QueryBuilder {
  return unit
    .knex('trellis_log_entry')
    .where({ operation_id: operationId, project_id: projectId, kind: 'row', op: 'delete' });
}

/** The tables of which an operation deleted rows. */
export async function tablesDeletedFrom(
  { database }: Metadata,
  operation: OperationOf,
): Promise<ReadonlySet<string>> {
  const rows = await database.read((unit) =>
    unit.all<{ readonly table_id: string }>(deletionsBy(unit, operation).distinct('table_id')),
  );
  return new Set(rows.map(({ table_id: id }) => id));
}

/** The keys of the rows that an operation deleted, by table. Their values are not kept in memory. */
export async function keysDeletedBy(
  { database }: Metadata,
  operation: OperationOf,
): Promise<readonly DeletedKeys[]> {
  const places = await database.read((unit) => placesOf(unit, deletionsBy(unit, operation).orderBy('seq')));
  const found = new Map<string, DeletedKeys & { readonly keys: RowKey[] }>();
  for await (const entry of readEntries((work) => database.read(work), places)) {
    const { tableId, rows, seq, origin } = entry;
    const { keys, purged, first } = found.get(tableId) ?? {
      keys: new Array<RowKey>(),
      purged: 0,
      first: seq,
    };
    // Not spread into the arguments of a call, of which there may be only so many.
    for (const [key] of rows) keys.push(key);
    const gone = rows.filter(([, , , , isPurged]) => isPurged === true).length;
    found.set(tableId, { tableId, keys, purged: purged + gone, isUndo: origin === 'undo', first, last: seq });
  }
  return [...found.values()];
}

/** Where the entries are that tell of some rows of a table until an entry, the oldest first. */
export async function entriesOfRows(
  unit: Unit,
  dialect: Dialect,
  { until, ...rows }: RowsOfTable & { readonly until: number },
): Promise<readonly EntryPlace[]> {
  const before = (entries: Knex.QueryBuilder) => entries.where('seq', '<=', until);
  const seqs = await seqsOfRows(unit, dialect, rows, { named: before, ranged: before });
  const places: EntryPlace[] = [];
  for (const chunk of dialect.limits.chunkRows(
    1,
    [...seqs].toSorted((left, right) => left - right),
  )) {
    const entries = unit.knex('trellis_log_entry').whereIn('seq', chunk).orderBy('seq');
    places.push(...(await placesOf(unit, entries)));
  }
  return places;
}

/** The numbers of those entries that tell of some rows of a table. */
export async function seqsOfRows(
  unit: Unit,
  { limits }: Dialect,
  rows: RowsOfTable,
  { named, ranged }: MeantEntries,
): Promise<ReadonlySet<number>> {
  const select = (of: Knex.QueryBuilder) => named(of).distinct('trellis_log_row.seq');
  const found = await namedRows<{ readonly seq: number | string }>(unit, limits, rows, select);
  const seqs = new Set(found.map(({ seq }) => Number(seq)));
  const numbers = sortedNumbers(rows.keys);
  for (const { seq, first, last } of await rangesOver(unit, { tableId: rows.tableId, numbers }, ranged))
    if (firstWithin(numbers, first, last) !== undefined) seqs.add(seq);
  return seqs;
}

/** Some rows of a table. */
interface RowsOfTable {
  readonly tableId: string;
  readonly keys: readonly RowKey[];
}

/** The index rows of a table's rows. Rows that only a range of keys names are not among them. */
async function namedRows<Row extends object>(
  unit: Unit,
  limits: Dialect['limits'],
  { tableId, keys }: RowsOfTable,
  select: (rows: Knex.QueryBuilder) => Knex.QueryBuilder,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (const chunk of limits.chunkRows(1, keys)) {
    const rows = unit
      .knex('trellis_log_row')
      .where({ 'trellis_log_row.table_id': tableId })
      .whereIn('trellis_log_row.row_key', chunk.map(storedRowKey));
    // Not spread into the arguments of a call, of which there may be only so many.
    for (const row of await unit.all<Row>(select(rows))) found.push(row);
  }
  return found;
}

/** The keys that are counted, the least first. */
function sortedNumbers(keys: readonly RowKey[]): readonly number[] {
  return keys.flatMap((key) => wholeNumber(key) ?? []).toSorted((left, right) => left - right);
}

/** The ranges of keys that inserts name, from the least to the greatest of some numbers. */
async function rangesOver(
  unit: Unit,
  { tableId, numbers }: { readonly tableId: string; readonly numbers: readonly number[] },
  narrow: (entries: Knex.QueryBuilder) => Knex.QueryBuilder,
): Promise<readonly { readonly seq: number; readonly first: number; readonly last: number }[]> {
  const [least, most] = [numbers[0], numbers.at(-1)];
  if (least === undefined || most === undefined) return [];
  const entries = unit
    .knex('trellis_log_entry')
    .where({ table_id: tableId })
    .whereBetween('first_key', [least - mostRowsOfEntry + 1, most])
    .where('last_key', '>=', least)
    .select('seq', 'first_key', 'last_key');
  const rows = await unit.all<Readonly<Record<'seq' | 'first_key' | 'last_key', number | string>>>(
    narrow(entries),
  );
  return rows.map(({ seq, first_key: first, last_key: last }) => ({
    seq: Number(seq),
    first: Number(first),
    last: Number(last),
  }));
}

/**
 * The first of some numbers that lies in a range, its ends among it, as its place among them; undefined where none does.
 *
 * @param sorted the least first
 */
export function firstWithin(sorted: readonly number[], first: number, last: number): number | undefined {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? last) < first) from = middle + 1;
    else to = middle;
  }
  const found = sorted[from];
  return found !== undefined && found <= last ? from : undefined;
}

/** Limits a search to some entries of the log. */
interface MeantEntries {
  /** Narrows `trellis_log_row`. */
  readonly named: (rows: Knex.QueryBuilder) => Knex.QueryBuilder;
  /** Narrows the entries that name ranges, which are inserts. */
  readonly ranged: (entries: Knex.QueryBuilder) => Knex.QueryBuilder;
}

/** The keys, among the given ones, of rows that the meant entries name. */
async function rowsTold(
  { database }: Metadata,
  { tableId, keys }: RowsOfTable,
  { named, ranged }: MeantEntries,
): Promise<ReadonlySet<RowKey>> {
  if (keys.length === 0) return new Set();
  const told = new Set<string>();
  await database.read(async (unit) => {
    const { limits } = database.dialect;
    const select = (rows: Knex.QueryBuilder) => named(rows).distinct('trellis_log_row.row_key');
    const rows = await namedRows<{ readonly row_key: string }>(unit, limits, { tableId, keys }, select);
    for (const { row_key } of rows) told.add(row_key);
    const numbers = sortedNumbers(keys);
    for (const { first, last } of await rangesOver(unit, { tableId, numbers }, ranged))
      for (let at = firstWithin(numbers, first, last); at !== undefined; at += 1) {
        const number = numbers[at];
        if (number === undefined || number > last) break;
        told.add(String(number));
      }
  });
  return new Set(keys.filter((key) => told.has(storedRowKey(key))));
}

/** The keys, among the given ones, of rows that no entry names after the entry `after`. */
export async function untouchedSince(
  metadata: Metadata,
  rows: RowsOfTable,
  after: number,
): Promise<readonly RowKey[]> {
  const since = (entries: Knex.QueryBuilder) => entries.where('seq', '>', after);
  const touched = await rowsTold(metadata, rows, { named: since, ranged: since });
  return rows.keys.filter((key) => !touched.has(key));
}

/** The keys, among the given ones, of rows whose insert is in the log. */
export function insertedKeys(metadata: Metadata, rows: RowsOfTable): Promise<ReadonlySet<RowKey>> {
  return rowsTold(metadata, rows, {
    named: (of) =>
      of
        .join('trellis_log_entry as entry', 'entry.seq', 'trellis_log_row.seq')
        .where({ 'entry.op': 'insert' }),
    ranged: (entries) => entries,
  });
}
