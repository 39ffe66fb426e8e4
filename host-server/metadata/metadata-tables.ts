import type { StorageKind } from '@trellis/sdk/shared';
import type { ColumnSpec, IndexSpec, TableSpec } from '../dialects/schema/schema-changer.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { dialectOf } from '../dialects/select-dialect.ts';

/** A column in short form: its kind and how it differs from an optional one. */
export interface Column {
  readonly kind: StorageKind;
  readonly length?: number;
  readonly required?: boolean;
  /** Text that may exceed the 64 KB of MySQL's `text`. */
  readonly large?: boolean;
  /** A key that the database counts up; it never uses a number twice, not even that of a deleted row. */
  readonly counts?: boolean;
}

const idLength = 40;
export const key: Column = { kind: 'string', length: idLength, required: true };
export const reference: Column = { kind: 'string', length: idLength };
const name: Column = { kind: 'string', length: 255 };
export const requiredName: Column = { ...name, required: true };
export const text: Column = { kind: 'text' };
export const largeText: Column = { kind: 'text', large: true };
export const flag: Column = { kind: 'boolean', required: true };
export const integer: Column = { kind: 'integer' };
const order: Column = { kind: 'float', required: true };
export const time: Column = { kind: 'bigint', required: true };
export const optionalTime: Column = { kind: 'bigint' };
export const stamps = { created_at: time, updated_at: time };

/** A metadata table in short form, named without its `trellis_` prefix. */
export interface Table {
  readonly columns: Readonly<Record<string, Column>>;
  readonly key: readonly string[];
  readonly indexes?: readonly (readonly string[])[];
  readonly unique?: readonly (readonly string[])[];
}

/** The tables of the first migration, without their `trellis_` prefix. Times are milliseconds UTC; JSON is text. */
const tables: Readonly<Record<string, Table>> = {
  setting: { columns: { key, value: text }, key: ['key'] },
  generation: { columns: { scope: key, value: time }, key: ['scope'] },
  account: {
    columns: {
      id: key,
      email: { kind: 'string', length: 254, required: true },
      // The SHA-256 of the address: unique and compared byte by byte, whatever the database's collation does with accents.
      email_key: { kind: 'string', length: 64, required: true },
      firstname: name,
      lastname: name,
      roles: { kind: 'string', length: 100, required: true },
      super_slot: integer,
      ...stamps,
    },
    key: ['id'],
    unique: [['email_key'], ['super_slot']],
  },
  project: {
    columns: {
      id: key,
      title: requiredName,
      prefix: { kind: 'string', length: 20, required: true },
      description: text,
      color: { kind: 'string', length: 9 },
      meta: text,
      sort_order: order,
      deleted_at: optionalTime,
      ...stamps,
    },
    key: ['id'],
  },
  base: {
    columns: {
      id: key,
      project_id: key,
      alias: name,
      own: flag,
      dialect: { kind: 'string', length: 20, required: true },
      config: text,
      inflection_table: { kind: 'string', length: 20 },
      inflection_column: { kind: 'string', length: 20 },
      ...stamps,
    },
    key: ['id'],
    indexes: [['project_id']],
  },
  grant: {
    columns: {
      project_id: key,
      account_id: key,
      role: { kind: 'string', length: 20, required: true },
      created_at: time,
    },
    key: ['project_id', 'account_id'],
    indexes: [['account_id']],
  },
  table: {
    columns: {
      id: key,
      project_id: key,
      base_id: key,
      title: requiredName,
      table_name: requiredName,
      kind: { kind: 'string', length: 10, required: true },
      junction: flag,
      read_only_reason: text,
      meta: text,
      sort_order: order,
      parked_at: optionalTime,
      ...stamps,
    },
    key: ['id'],
    indexes: [['project_id']],
  },
  column: {
    columns: {
      id: key,
      project_id: key,
      table_id: key,
      title: requiredName,
      column_name: requiredName,
      uidt: { kind: 'string', length: 100, required: true },
      storage: { kind: 'string', length: 20, required: true },
      native_type: requiredName,
      length: { kind: 'string', length: 20 },
      precision: { kind: 'string', length: 20 },
      scale: { kind: 'string', length: 20 },
      fallback: { kind: 'string', length: 100, required: true },
      primary_key: flag,
      key_position: integer,
      auto_increment: flag,
      auto_update: flag,
      required: flag,
      is_unsigned: flag,
      is_unique: flag,
      display: flag,
      system: flag,
      computed: flag,
      default_value: text,
      meta: text,
      sort_order: order,
      parked_at: optionalTime,
      ...stamps,
    },
    key: ['id'],
    indexes: [['project_id'], ['table_id']],
  },
  view: {
    columns: {
      id: key,
      project_id: key,
      table_id: key,
      title: requiredName,
      type: { kind: 'string', length: 40, required: true },
      is_default: flag,
      show_system_fields: flag,
      lock_type: { kind: 'string', length: 20, required: true },
      owner_id: reference,
      meta: text,
      sort_order: order,
      ...stamps,
    },
    key: ['id'],
    indexes: [['project_id'], ['table_id']],
  },
  view_column: {
    columns: {
      id: key,
      project_id: key,
      view_id: key,
      column_id: key,
      visible: flag,
      width: integer,
      sort_order: order,
      ...stamps,
    },
    key: ['id'],
    indexes: [['project_id'], ['column_id']],
    unique: [['view_id', 'column_id']],
  },
  sort: {
    columns: {
      id: key,
      project_id: key,
      view_id: key,
      column_id: key,
      direction: { kind: 'string', length: 4, required: true },
      sort_order: order,
      ...stamps,
    },
    key: ['id'],
    indexes: [['project_id'], ['view_id']],
  },
  filter: {
    columns: {
      id: key,
      project_id: key,
      view_id: key,
      parent_id: reference,
      is_group: flag,
      logical_op: { kind: 'string', length: 5, required: true },
      column_id: reference,
      operator: { kind: 'string', length: 40 },
      value: text,
      sort_order: order,
      ...stamps,
    },
    key: ['id'],
    indexes: [['project_id'], ['view_id']],
  },
  job: {
    columns: {
      id: key,
      project_id: reference,
      kind: { kind: 'string', length: 60, required: true },
      state: { kind: 'string', length: 20, required: true },
      step: integer,
      payload: largeText,
      error: text,
      ...stamps,
    },
    key: ['id'],
    indexes: [['state']],
  },
  change: {
    columns: {
      id: key,
      operation_id: key,
      kind: { kind: 'string', length: 10, required: true },
      op: { kind: 'string', length: 10, required: true },
      actor_id: reference,
      actor_email: { kind: 'string', length: 254 },
      project_id: reference,
      base_id: reference,
      table_id: reference,
      row_key: { kind: 'string', length: 255 },
      before: largeText,
      after: largeText,
      origin: { kind: 'string', length: 20, required: true },
      request_id: { kind: 'string', length: 100 },
      state: { kind: 'string', length: 10, required: true },
      at: time,
    },
    key: ['id'],
    indexes: [['operation_id'], ['table_id', 'row_key'], ['state']],
  },
  outbox: {
    columns: {
      id: key,
      change_id: key,
      topic: { kind: 'string', length: 100, required: true },
      payload: largeText,
      state: { kind: 'string', length: 10, required: true },
      attempts: integer,
      next_at: optionalTime,
      lease_until: optionalTime,
      error: text,
      at: time,
    },
    key: ['id'],
    indexes: [['state', 'next_at']],
  },
  audit: {
    columns: {
      id: key,
      type: { kind: 'string', length: 40, required: true },
      sub_type: { kind: 'string', length: 40 },
      user_id: reference,
      user_email: { kind: 'string', length: 254 },
      ip: { kind: 'string', length: 64 },
      project_id: reference,
      base_id: reference,
      table_id: reference,
      row_key: { kind: 'string', length: 255 },
      description: text,
      details: text,
      at: time,
    },
    key: ['id'],
    indexes: [['project_id', 'at']],
  },
  idempotency: {
    columns: {
      // The SHA-256 of caller and key.
      key: { kind: 'string', length: 64, required: true },
      method: { kind: 'string', length: 10, required: true },
      path: text,
      body_hash: { kind: 'string', length: 64, required: true },
      state: { kind: 'string', length: 10, required: true },
      status: integer,
      headers: text,
      body: largeText,
      created_at: time,
    },
    key: ['key'],
    indexes: [['created_at']],
  },
  rate: {
    columns: {
      name: { kind: 'string', length: 60, required: true },
      key: { kind: 'string', length: 190, required: true },
      window_start: time,
      count: { kind: 'integer', required: true },
    },
    key: ['name', 'key', 'window_start'],
  },
  plugin: {
    columns: {
      id: { kind: 'string', length: 100, required: true },
      version: { kind: 'string', length: 40 },
      enabled: flag,
      state: { kind: 'string', length: 20 },
      reason: text,
      settings: text,
      starting_since: optionalTime,
      updated_at: time,
    },
    key: ['id'],
  },
  plugin_migration: {
    columns: {
      plugin_id: { kind: 'string', length: 100, required: true },
      id: { kind: 'string', length: 100, required: true },
      checksum: { kind: 'string', length: 64, required: true },
      applied_at: time,
    },
    key: ['plugin_id', 'id'],
  },
  plugin_kv: {
    columns: {
      plugin_id: { kind: 'string', length: 100, required: true },
      key: { kind: 'string', length: 190, required: true },
      value: largeText,
    },
    key: ['plugin_id', 'key'],
  },
  user_storage: {
    columns: { account_id: key, key: { kind: 'string', length: 190, required: true }, value: largeText },
    key: ['account_id', 'key'],
  },
};

/** The native type for text of any length, if the usual one holds less. */
export function largeTextOf(dialect: DialectName): Pick<ColumnSpec, 'native'> {
  const { largeText: native } = dialectOf(dialect).types;
  return native === undefined ? {} : { native };
}

/** The table in the form of the schema changer for this database. */
export function toSpec(of: string, table: Table, dialect: DialectName): TableSpec {
  const columns = Object.entries(table.columns).map(
    ([column, { kind, length, required, large, counts }]): ColumnSpec => ({
      name: column,
      kind,
      length,
      nullable: required !== true,
      ...(large === true && largeTextOf(dialect)),
      ...(counts === true && { autoIncrement: true }),
    }),
  );
  const index = (columnNames: readonly string[], unique: boolean): IndexSpec => ({
    name: `trellis_${of}_${columnNames.join('_')}`,
    columns: columnNames,
    unique,
  });
  return {
    name: `trellis_${of}`,
    columns,
    primaryKey: table.key,
    indexes: [
      ...(table.unique ?? []).map((names) => index(names, true)),
      ...(table.indexes ?? []).map((names) => index(names, false)),
    ],
  };
}

/** One row for each side of a link between tables; lists of columns are JSON. */
const link: Table = {
  columns: {
    id: key,
    project_id: key,
    base_id: key,
    kind: { kind: 'string', length: 20, required: true },
    title: requiredName,
    table_id: key,
    column_ids: text,
    to_table_id: key,
    to_column_ids: text,
    through_table: text,
    inverse_id: key,
    constraint_name: name,
    on_delete: { kind: 'string', length: 20 },
    on_update: { kind: 'string', length: 20 },
    ...stamps,
  },
  key: ['id'],
  indexes: [['project_id']],
};

/** The table of the migration `005-links`. */
export function linkTable(dialect: DialectName): TableSpec {
  return toSpec('link', link, dialect);
}

/** The tables of the first migration, for this database. */
export function metadataTables(dialect: DialectName): readonly TableSpec[] {
  return Object.entries(tables).map(([of, table]) => toSpec(of, table, dialect));
}
