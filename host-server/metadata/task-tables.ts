import type { TableSpec } from '../dialects/schema/schema-changer.ts';
import type { DialectName } from '../dialects/dialect.ts';
import {
  flag,
  integer,
  key,
  largeText,
  optionalTime,
  reference,
  requiredName,
  stamps,
  text,
  time,
  toSpec,
  type Table,
} from './metadata-tables.ts';

/** Durable work, and when each periodic job last began. See `runtime/README.md` for the meaning of a row. */
const tables: Readonly<Record<string, Table>> = {
  task: {
    columns: {
      id: key,
      project_id: reference,
      kind: { kind: 'string', length: 100, required: true },
      title: requiredName,
      state: { kind: 'string', length: 20, required: true },
      payload: largeText,
      checkpoint: largeText,
      // The basis of the starter's rights: a principal as JSON.
      principal: text,
      created_by: { kind: 'string', length: 254 },
      done: { kind: 'bigint', required: true },
      total: { kind: 'bigint' },
      note: text,
      cancelling: flag,
      owner: { kind: 'string', length: 200 },
      fence: time,
      lease_until: time,
      attempts: { ...integer, required: true },
      result: largeText,
      error: text,
      finished_at: optionalTime,
      ...stamps,
    },
    key: ['id'],
    indexes: [['state'], ['project_id', 'created_at']],
  },
  periodic_run: {
    columns: { id: { kind: 'string', length: 100, required: true }, begun_at: time },
    key: ['id'],
  },
};

/** The tables of the tasks, for this database. */
export function taskTables(dialect: DialectName): readonly TableSpec[] {
  return Object.entries(tables).map(([of, table]) => toSpec(of, table, dialect));
}

/** The last number that a column gave to a row of its table. */
export function rowCounterTable(dialect: DialectName): TableSpec {
  return toSpec('row_counter', { columns: { column_id: key, last: time }, key: ['column_id'] }, dialect);
}

/** Rows that were read and are not in their table yet. */
export function stagedRowTable(dialect: DialectName): TableSpec {
  const columns = {
    load_id: key,
    n: { ...integer, required: true },
    row_values: largeText,
    staged_at: time,
  };
  return toSpec('staged_row', { columns, key: ['load_id', 'n'] }, dialect);
}
