import type { TableSpec } from '../dialects/schema/schema-changer.ts';
import type { DialectName } from '../dialects/dialect.ts';
import {
  integer,
  key,
  largeText,
  optionalTime,
  reference,
  text,
  time,
  toSpec,
  type Column,
  type Table,
} from './metadata-tables.ts';

const sequence: Column = { kind: 'bigint', required: true };
const rowKey: Column = { kind: 'string', length: 255, required: true };
const topic: Column = { kind: 'string', length: 100, required: true };
const count: Column = { kind: 'integer', required: true };

/** The tables of the change log and of its readers. See `changes/README.md` for the meaning of their rows. */
const tables: Readonly<Record<string, Table>> = {
  log_entry: {
    columns: {
      seq: { ...sequence, counts: true },
      operation_id: key,
      kind: { kind: 'string', length: 10, required: true },
      op: { kind: 'string', length: 10, required: true },
      actor_id: reference,
      actor_email: { kind: 'string', length: 254 },
      project_id: reference,
      base_id: reference,
      table_id: reference,
      origin: { kind: 'string', length: 20, required: true },
      request_id: { kind: 'string', length: 100 },
      at: time,
      part: count,
      total: count,
      first_key: optionalTime,
      last_key: optionalTime,
      columns: largeText,
      rows: largeText,
      details: largeText,
    },
    key: ['seq'],
    indexes: [['operation_id'], ['table_id', 'first_key'], ['table_id', 'seq'], ['project_id', 'seq']],
  },
  log_row: {
    columns: { table_id: key, row_key: rowKey, seq: sequence },
    key: ['table_id', 'row_key', 'seq'],
  },
  pending: {
    columns: {
      operation_id: key,
      part: count,
      state: { kind: 'string', length: 10, required: true },
      at: time,
      entry: largeText,
    },
    key: ['operation_id', 'part'],
    indexes: [['state', 'at']],
  },
  topic: {
    columns: {
      id: topic,
      last_seq: sequence,
      // Always active, without a reason: only older versions, which paused topics, read these two.
      state: { kind: 'string', length: 10, required: true },
      reason: text,
      updated_at: time,
    },
    key: ['id'],
  },
  delivery_retry: {
    columns: {
      topic,
      event_id: key,
      seq: sequence,
      position: count,
      table_id: reference,
      row_key: { ...rowKey, required: false },
      attempts: count,
      next_at: time,
      error: text,
    },
    key: ['topic', 'event_id'],
    indexes: [['topic', 'seq']],
  },
  delivery: {
    columns: {
      id: { ...sequence, counts: true },
      topic,
      event_id: key,
      attempt: count,
      outcome: { kind: 'string', length: 10, required: true },
      duration_ms: integer,
      error: text,
      at: time,
    },
    key: ['id'],
    indexes: [['topic', 'event_id'], ['at']],
  },
};

/** Which entries record that other rows were linked to a row, or unlinked. */
export function logLinkTable(dialect: DialectName): TableSpec {
  const columns = { table_id: key, row_key: rowKey, seq: sequence };
  return toSpec('log_link', { columns, key: ['table_id', 'row_key', 'seq'], indexes: [['seq']] }, dialect);
}

/** The first version of every table of the change log, for this database. */
export function logTables(dialect: DialectName): readonly TableSpec[] {
  return Object.entries(tables).map(([of, table]) => toSpec(of, table, dialect));
}
