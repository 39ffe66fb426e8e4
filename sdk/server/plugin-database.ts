import type { Knex } from 'knex';
import type { StorageKind } from '../shared/index.ts';

/** One migration of a plugin's own tables: forward only, recorded by its id, so a released one must not change. @public */
export interface PluginMigration {
  /** `001-create-sessions`: sorts in order. */
  readonly id: string;
  up(schema: PluginSchema): Promise<void>;
}

/** A column of a plugin's own table. @public */
export interface PluginColumn {
  readonly kind: Exclude<StorageKind, 'virtual'>;
  /** Characters of a `string`. */
  readonly length?: number;
  /** Default false: the column may be empty. */
  readonly required?: boolean;
}

/** A plugin's own table, the same on every database. @public */
export interface PluginTable {
  readonly columns: Readonly<Record<string, PluginColumn>>;
  /** The primary key's columns. */
  readonly key: readonly string[];
  readonly indexes?: readonly (readonly string[])[];
  readonly unique?: readonly (readonly string[])[];
}

/**
 * Makes tables named `p_<plugin id>_<name>` in the metadata database. Each step may be run again: an existing table or column is
 * no error.
 * @public
 */
export interface PluginSchema {
  /** @throws Error for a table that the manifest does not list under `contributes.tables` */
  createTable(name: string, table: PluginTable): Promise<void>;
  addColumn(table: string, name: string, column: PluginColumn): Promise<void>;
  addIndex(table: string, columns: readonly string[]): Promise<void>;
}

/** The plugin's own tables. Queries are built and never written as SQL text, which differs between dialects. @public */
export interface PluginDatabase {
  /** A query over the plugin's table; run it with `all`, `first` or `run` of a unit. */
  table(name: string): Knex.QueryBuilder;
  read<T>(work: (unit: PluginUnit) => Promise<T>): Promise<T>;
  /** One transaction. */
  write<T>(work: (unit: PluginUnit) => Promise<T>): Promise<T>;
  /**
   * A transaction that changes the row of a key, or adds it if there is none. If somebody adds it at the same moment, the work
   * runs again and finds that row, so it must be repeatable.
   */
  writeKey<T>(work: (unit: PluginUnit) => Promise<T>): Promise<T>;
}

/** One read or one transaction: the queries of a unit see the same state. @public */
export interface PluginUnit {
  table(name: string): Knex.QueryBuilder;
  all<Row extends object>(query: Knex.QueryBuilder): Promise<Row[]>;
  first<Row extends object>(query: Knex.QueryBuilder): Promise<Row | undefined>;
  /** Returns the number of changed rows. A duplicate key throws `UNIQUE_VIOLATION`. */
  run(query: Knex.QueryBuilder): Promise<number>;
  /**
   * Runs the queries that end the unit, in as few round trips as possible, and returns the number of rows that each changed.
   * Units that run everything else at once and end like this are committed together with others. Afterwards the work must not
   * throw, and no query may be run.
   */
  runLast(queries: readonly Knex.QueryBuilder[]): Promise<readonly number[]>;
}
