import type { Change, RowHistoryEntry } from '@trellis/sdk/server';
import type { RowKey } from '@trellis/sdk/shared';
import type { Knex } from 'knex';
import type { Dialect } from '../dialects/dialect.ts';
import type { Unit } from '../sql/unit.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { seqsOfRows } from './keys-in-log.ts';
import { changeAt, changesOf, detailsIn, type EntryRow, type LogEntry } from './log-entry.ts';
import { placesOf, readEntries, type EntryPlace } from './read-entries.ts';
import { recentEntriesOf, takeEntries } from './recent-entries.ts';
import { storedRowKey } from './stored-row-key.ts';

/** Which part of a row's history. */
export interface HistoryPage {
  /** Only changes before this one: its `seq`. */
  readonly before?: number | undefined;
  readonly limit: number;
  /** Entries that were read a moment ago for other rows with the same object are used again. */
  readonly reader?: object | undefined;
}

/** Milliseconds for a look through the log of a project. */
const deletionsLimit = 10_000;

/** The changes of rows of an operation, in the order in which they were made. */
export async function changesOfOperation(
  { database }: Metadata,
  { projectId, operationId }: { readonly projectId: string; readonly operationId: string },
): Promise<readonly Change[]> {
  const places = await database.read((unit) =>
    placesOf(
      unit,
      unit
        .knex('trellis_log_entry')
        .where({ operation_id: operationId, project_id: projectId })
        .whereIn('kind', ['row', 'rowSet'])
        .orderBy('seq'),
    ),
  );
  const changes: Change[] = [];
  for await (const entry of readEntries((work) => database.read(work), places))
    changes.push(...changesOf(entry));
  return changes;
}

/**
 * Entries of calls, and of undo, that deleted rows of some tables, the newest first and `limit` at a time; those of much come as heads.
 * What went along with a row has an entry of the same operation before the row's own.
 */
export async function deletionsIn(
  { database }: Metadata,
  { projectId, tableIds }: { readonly projectId: string; readonly tableIds: readonly string[] },
  { limit, before }: HistoryPage,
): Promise<readonly LogEntry[]> {
  if (tableIds.length === 0) return [];
  const places = await database.read(
    (unit) =>
      placesOf(
        unit,
        unit
          .knex('trellis_log_entry')
          .where({ project_id: projectId, kind: 'row', op: 'delete', part: 0 })
          .whereIn('table_id', [...tableIds])
          .modify((query) => {
            if (before !== undefined) void query.where('seq', '<', before);
          })
          .orderBy('seq', 'desc')
          .limit(limit),
      ),
    { work: 'long', timeoutMs: deletionsLimit },
  );
  const entries: LogEntry[] = [];
  for await (const entry of readEntries((work) => database.read(work), places, 'head')) entries.push(entry);
  return entries;
}

/** What happened to one row, the newest first. Set changes, which name no rows, are not among it. */
export async function rowHistory(
  { database }: Metadata,
  { tableId, key }: { readonly tableId: string; readonly key: RowKey },
  page: HistoryPage,
): Promise<readonly RowHistoryEntry[]> {
  const places = await database.read(async (unit) => {
    const seqs = await seqsOfRow(unit, database.dialect, { tableId, key, ...page });
    if (seqs.length === 0) return [];
    return placesOf(unit, unit.knex('trellis_log_entry').whereIn('seq', seqs).orderBy('seq', 'desc'));
  });
  const history: RowHistoryEntry[] = [];
  const of = {
    key,
    read: (some: readonly EntryPlace[]) => readEntries((work) => database.read(work), some),
    take: (entry: LogEntry, positions: readonly number[]) => {
      for (const position of positions.toReversed())
        history.push({ seq: entry.seq, change: changeAt(entry, position) });
    },
  };
  await (page.reader === undefined ? takeEntries(places, of) : recentEntriesOf(page.reader).take(places, of));
  return history.sort((left, right) => right.seq - left.seq);
}

/**
 * Entries that tell that other rows named a row in a foreign key, or ceased to, the newest first. A bounded number of bytes of them is in
 * memory at a time: each may hold many rows, or large ones.
 *
 * @param keys the row, as foreign keys name it: one of several columns may list them in another order than the key
 */
export async function* entriesLinking(
  { database }: Metadata,
  { tableId, keys }: { readonly tableId: string; readonly keys: readonly RowKey[] },
  { before = Number.MAX_SAFE_INTEGER, limit }: HistoryPage,
): AsyncGenerator<LogEntry, void, undefined> {
  const places = await database.read(async (unit) => {
    const rows = await unit.all<{ seq: number | string }>(
      unit
        .knex('trellis_log_link')
        .where({ table_id: tableId })
        .whereIn('row_key', keys.map(storedRowKey))
        .where('seq', '<', before)
        .orderBy('seq', 'desc')
        .limit(limit)
        .distinct('seq'),
    );
    const seqs = rows.map(({ seq }) => Number(seq));
    if (seqs.length === 0) return [];
    return placesOf(unit, unit.knex('trellis_log_entry').whereIn('seq', seqs).orderBy('seq', 'desc'));
  });
  yield* readEntries((work) => database.read(work), places);
}

/** The number of the last change of a set of rows of a table, which names none of them; 0 when there was none. */
export async function lastSetChange({ database }: Metadata, tableId: string): Promise<number> {
  const row = await database.read((unit) =>
    unit.first<{ seq: number | string | null }>(
      unit.knex('trellis_log_entry').where({ table_id: tableId, kind: 'rowSet' }).max({ seq: 'seq' }),
    ),
  );
  return Number(row?.seq ?? 0);
}

/** The numbers of the entries that tell of a row: by the index, and by the range of keys that an insert names. */
async function seqsOfRow(
  unit: Unit,
  dialect: Dialect,
  of: HistoryPage & { readonly tableId: string; readonly key: RowKey },
): Promise<number[]> {
  const { tableId, key, before = Number.MAX_SAFE_INTEGER, limit } = of;
  const earlier = (entries: Knex.QueryBuilder) => entries.where('seq', '<', before);
  const seqs = await seqsOfRows(
    unit,
    dialect,
    { tableId, keys: [key] },
    {
      named: (rows) => earlier(rows).orderBy('seq', 'desc').limit(limit),
      // In no order: the few ranges are found by their keys, while SQLite would go through the whole table by `seq`.
      ranged: earlier,
    },
  );
  return [...seqs].toSorted((left, right) => right - left).slice(0, limit);
}

/**
 * Whether undo put a row back that an operation deleted. Another row may stand under its key by now, which does not bring it back.
 *
 * @param deletion the row, and the number of the entry that tells of its deletion
 */
export async function isTakenBack(
  unit: Unit,
  dialect: Dialect,
  deletion: {
    readonly tableId: string;
    readonly key: RowKey;
    readonly seq: number;
    readonly operationId: string;
  },
): Promise<boolean> {
  const { tableId, key, seq, operationId } = deletion;
  const byUndo = { op: 'insert', origin: 'undo' };
  const seqs = await seqsOfRows(
    unit,
    dialect,
    { tableId, keys: [key] },
    {
      named: (rows) =>
        rows
          .join('trellis_log_entry as entry', 'entry.seq', 'trellis_log_row.seq')
          .where('trellis_log_row.seq', '>', seq)
          .where(byUndo),
      ranged: (entries) => entries.where('seq', '>', seq).where(byUndo),
    },
  );
  if (seqs.size === 0) return false;
  const found = await unit.all<Pick<EntryRow, 'details'>>(
    unit
      .knex('trellis_log_entry')
      .whereIn('seq', [...seqs])
      .select('details'),
  );
  return found.some(({ details }) => details !== null && detailsIn(details).undoes === operationId);
}

/** Whether an undo took back an earlier undo, and so did again what somebody had done. */
export async function doesAgain(unit: Unit, operationId: string): Promise<boolean> {
  const byUndo = (id: string) =>
    unit.first<Pick<EntryRow, 'details'>>(
      unit.knex('trellis_log_entry').where({ operation_id: id, origin: 'undo' }).select('details'),
    );
  const { details = null } = (await byUndo(operationId)) ?? {};
  const { undoes } = details === null ? {} : detailsIn(details);
  return undoes !== undefined && (await byUndo(undoes)) !== undefined;
}
