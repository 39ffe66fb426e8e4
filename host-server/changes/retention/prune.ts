import type { HookRegistry } from '@trellis/core';
import type { Logger, ServerHooks } from '@trellis/sdk/server';
import type { Knex } from 'knex';
import type { Unit } from '../../sql/unit.ts';
import type { Metadata } from '../../metadata/metadata.ts';
import { setPrunedTo } from '../pruned.ts';
import { placesOf, readEntries } from '../read-entries.ts';
import { storedRowKey } from '../stored-row-key.ts';
import { tellingOfPurged, type DeletedRows } from './tell-of-purged.ts';

export interface PruneOptions {
  /** Days for which changes are kept. */
  readonly days: number;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** UTC milliseconds. */
  readonly now?: number;
  /** Told of deleted rows that nothing brings back any more, but of none in databases of others. */
  readonly hooks?: Pick<HookRegistry<ServerHooks>, 'tell'>;
}

const day = 24 * 60 * 60 * 1000;
/** Entries that are deleted in one transaction, and how many rows they may hold together before there are fewer. */
const entriesAtOnce = 500;
const rowsAtOnce = 2000;
const mostAtOnce = 500;

/** Other tables with the same retention: the table, the column of its time, its key, and which of its rows. */
const others = [
  { table: 'trellis_delivery', time: 'at', key: 'id', where: {} },
  { table: 'trellis_pending', time: 'at', key: 'operation_id', where: { state: 'unknown' } },
] as const;

/**
 * Deletes what is older than the retention, in short transactions: entries of the log with what points at them, deliveries,
 * announcements that nobody could settle; and counters of tries that are over.
 */
export async function pruneChanges(metadata: Metadata, options: PruneOptions): Promise<void> {
  const { days, logger, signal, hooks, now = Date.now() } = options;
  const before = now - days * day;
  const tell = hooks && tellingOfPurged(metadata, hooks);
  let entries = 0;
  for (let last = await oldEnough(metadata, { before, now }); last !== undefined;) {
    signal.throwIfAborted();
    const until = await endOfOldest(metadata, last);
    // Plugins are told before the entries are deleted: a server that is cut off in between tells of the same rows once more.
    if (until !== undefined && tell !== undefined) await tellOfDeleted(metadata, tell, until);
    const pruned = until === undefined ? 0 : await pruneEntries(metadata, until);
    entries += pruned;
    if (pruned === 0) last = await oldEnough(metadata, { before, now });
  }
  for (const kept of others) await pruneRows(metadata, kept, before, signal);
  await pruneRates(metadata, now - day, signal);
  if (entries > 0)
    logger.info('Deleted entries of the change log that were kept long enough', { entries, days });
}

interface Head {
  readonly seq: number | string;
  readonly at: number | string;
  readonly total: number | string;
}

/** As many as go in one transaction. */
function oldestEntries(unit: Unit): Knex.QueryBuilder {
  return unit.knex('trellis_log_entry').orderBy('seq').limit(entriesAtOnce);
}

/**
 * The number of an entry up to which all are old enough; undefined where the oldest is not. What a clock that was wrong put into the
 * future is as old as the entries around it.
 */
async function oldEnough(
  { database }: Metadata,
  { before, now }: { readonly before: number; readonly now: number },
): Promise<number | undefined> {
  const oldest = await database.read((unit) =>
    unit.all<Pick<Head, 'seq' | 'at'>>(oldestEntries(unit).where('at', '<=', now).select('seq', 'at')),
  );
  const young = oldest.findIndex(({ at }) => Number(at) >= before);
  const last = oldest.at(young === -1 ? -1 : young - 1);
  return young === 0 || last === undefined ? undefined : Number(last.seq);
}

/** The last of the oldest entries, up to one, that go in one transaction. */
async function endOfOldest({ database }: Metadata, until: number): Promise<number | undefined> {
  const oldest = await database.read((unit) =>
    unit.all<Pick<Head, 'seq' | 'total'>>(
      oldestEntries(unit).where('seq', '<=', until).select('seq', 'total'),
    ),
  );
  return lastOf(oldest);
}

/**
 * Tells of the rows that entries up to one deleted. A row in a database of others may be there again without the log, with what people
 * wrote to it since: it stays with them until somebody deletes it for good.
 */
async function tellOfDeleted(
  { database }: Metadata,
  tell: (rows: DeletedRows) => Promise<void>,
  until: number,
): Promise<void> {
  const places = await database.read((unit) =>
    placesOf(
      unit,
      unit
        .knex('trellis_log_entry')
        .where('seq', '<=', until)
        .where({ kind: 'row', op: 'delete' })
        .whereNotIn('table_id', tablesOfOthers(unit))
        .orderBy('seq'),
    ),
  );
  for await (const { tableId, rows, seq: last } of readEntries((work) => database.read(work), places))
    await tell({ tableId, keys: rows.map(([key]) => key), last });
}

function tablesOfOthers({ knex }: Unit): Knex.QueryBuilder {
  return knex('trellis_table as held')
    .join('trellis_base as base', 'base.id', 'held.base_id')
    .where({ 'base.own': false })
    .select('held.id');
}

/** Deletes the oldest entries up to one, in one transaction; gives how many. Topics miss them when they try them again, and are told. */
async function pruneEntries({ database }: Metadata, last: number): Promise<number> {
  return database.write(
    async (unit) => {
      await forgetRowKeys(unit, last);
      await unit.run(unit.knex('trellis_log_link').where('seq', '<=', last).delete());
      const { changes } = await unit.run(unit.knex('trellis_log_entry').where('seq', '<=', last).delete());
      await setPrunedTo(unit, last);
      return changes;
    },
    { retry: true },
  );
}

/** The last of the entries, from the oldest on, that go in one transaction. */
function lastOf(oldest: readonly Pick<Head, 'seq' | 'total'>[]): number | undefined {
  let last: number | undefined;
  let rows = 0;
  for (const { seq, total } of oldest) {
    if (rows > rowsAtOnce) break;
    rows += Math.min(Number(total), mostAtOnce);
    last = Number(seq);
  }
  return last;
}

async function forgetRowKeys(unit: Unit, last: number): Promise<void> {
  const places = await placesOf(
    unit,
    unit.knex('trellis_log_entry').where('seq', '<=', last).where({ kind: 'row' }).whereNull('first_key'),
  );
  const entries = readEntries((work) => work(unit), places);
  for await (const { seq, tableId, rows: logged } of entries) {
    const keys = [...new Set(logged.map(([key]) => storedRowKey(key)))];
    await unit.run(
      unit.knex('trellis_log_row').where({ table_id: tableId, seq }).whereIn('row_key', keys).delete(),
    );
  }
}

async function pruneRows(
  { database }: Metadata,
  { table, time, key, where }: (typeof others)[number],
  before: number,
  signal: AbortSignal,
): Promise<void> {
  for (let deleted = -1; deleted !== 0;) {
    signal.throwIfAborted();
    deleted = await database.write(async (unit) => {
      const old = await unit.all<Record<string, string | number>>(
        unit.knex(table).where(where).where(time, '<', before).limit(mostAtOnce).select(key),
      );
      if (old.length === 0) return 0;
      const keys = old.map((row) => row[key] ?? '');
      return (await unit.run(unit.knex(table).where(where).whereIn(key, keys).delete())).changes;
    });
  }
}

/** Counters of tries whose window is over. */
async function pruneRates({ database }: Metadata, before: number, signal: AbortSignal): Promise<void> {
  for (let deleted = -1; deleted !== 0;) {
    signal.throwIfAborted();
    deleted = await database.write(async (unit) => {
      const rate = () => unit.knex('trellis_rate');
      const old = await unit.all<{ name: string; key: string }>(
        rate().where('window_start', '<', before).limit(mostAtOnce).distinct('name', 'key'),
      );
      const [first] = old;
      if (first === undefined) return 0;
      const keys = old.filter(({ name }) => name === first.name).map(({ key }) => key);
      const over = rate().where({ name: first.name }).where('window_start', '<', before).whereIn('key', keys);
      return (await unit.run(over.delete())).changes;
    });
  }
}
