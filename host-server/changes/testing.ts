import type { TableSchema } from '@trellis/sdk/server';
import type { Database } from '../databases/index.ts';
import { createMetadata } from '../metadata/metadata.ts';
import type { Unit } from '../sql/unit.ts';
import { ChangeLog } from './change-log.ts';
import type { RowChange, TableChanges } from './row-change.ts';

/** The author of changes in tests of the log. */
export const author = { principal: { id: 'us_1', email: 'ann@example.com' }, requestId: 'r1' };

/** The parts of a table that the log uses. */
export function loggedTable(given: Partial<Record<keyof TableSchema, unknown>> = {}): TableSchema {
  const table = { id: 'md_1', projectId: 'p_1', baseId: 'ds_1', title: 'Things', links: [], ...given };
  return table as unknown as TableSchema;
}

/** A change of a row with one column, from one name to another. */
export function rowChange(op: RowChange['op'], rowKey: string): RowChange {
  return {
    op,
    rowKey,
    before: op === 'insert' ? undefined : { cl_name: 'old' },
    after: op === 'delete' ? undefined : { cl_name: 'new' },
  };
}

/** A log in a database, and functions that write to it without changing rows. */
export async function createTestLog(database: Database) {
  const metadata = await createMetadata({ database, pollEvery: 0 });
  const log = new ChangeLog(metadata);
  /** The statements that record the changes of one call. */
  const statementsOf = (...tables: readonly TableChanges[]) =>
    log.record(log.begin(author), tables).statements;
  /** Writes the changes of one call without notifying anybody. */
  const write = (...tables: readonly TableChanges[]) =>
    database.write((unit) => unit.batch(statementsOf(...tables)));
  /** The number of rows in one of the log's tables. */
  const count = async (name: string) => {
    const counted = (unit: Unit) =>
      unit.first<{ count: number | string }>(unit.knex(name).count({ count: '*' }));
    return Number((await database.read(counted))?.count);
  };
  return { database, metadata, log, statementsOf, write, count };
}
