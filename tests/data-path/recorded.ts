import type { Change } from '@trellis/sdk/server';
import { changesOf, toEntry, type EntryRow } from '../../host-server/changes/log-entry.ts';
import type { Database } from '../../host-server/databases/index.ts';
import type { Unit } from '../../host-server/sql/unit.ts';

/** Starts the lines in which a process that is killed reports a delivery. */
export const deliveredMark = 'delivered ';

/** The changes of a table's rows in the log's order. */
export async function recordedIn(unit: Unit, tableId: string): Promise<readonly Change[]> {
  const rows = await unit.all<EntryRow>(
    unit.knex('trellis_log_entry').where({ table_id: tableId }).orderBy('seq').select('*'),
  );
  return rows.flatMap((row) => changesOf(toEntry(row))).filter(({ kind }) => kind !== 'schema');
}

/** Like `recordedIn`, for a whole database. */
export function recorded(database: Database, tableId: string): Promise<readonly Change[]> {
  return database.read((unit) => recordedIn(unit, tableId));
}

/** Announced changes with their state, such as `insert pending`. */
export async function announcements(database: Database): Promise<readonly string[]> {
  const rows = await database.read((unit) =>
    unit.all<{ state: string; entry: string }>(
      unit.knex('trellis_pending').orderBy('at').orderBy('operation_id').select('state', 'entry'),
    ),
  );
  return rows.map(({ state, entry }) => `${(JSON.parse(entry) as { op: string }).op} ${state}`);
}
