import type { StorageKind } from '@trellis/sdk/shared';
import type { TypeOptions } from '../types/default.ts';

/** A default from a closed set, since defaults are part of the SQL text and cannot be bound. */
export type DefaultValue =
  { readonly kind: 'literal'; readonly value: string | number | boolean } | { readonly kind: 'now' };

export interface ColumnSpec extends TypeOptions {
  /** The name in the database. */
  readonly name: string;
  readonly kind: StorageKind;
  /** Default `true`. */
  readonly nullable?: boolean;
  readonly default?: DefaultValue;
  /** The database counts up; the column must be the only one of the primary key. */
  readonly autoIncrement?: boolean;
}

export type ReferentialAction = 'no action' | 'restrict' | 'cascade' | 'set null' | 'set default';

export interface ForeignKeySpec {
  readonly name: string;
  readonly columns: readonly string[];
  readonly table: string;
  readonly references: readonly string[];
  readonly onDelete?: ReferentialAction;
  readonly onUpdate?: ReferentialAction;
}

export interface IndexSpec {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique?: boolean;
}

export interface TableSpec {
  readonly name: string;
  readonly columns: readonly ColumnSpec[];
  readonly primaryKey?: readonly string[];
  readonly foreignKeys?: readonly ForeignKeySpec[];
  readonly indexes?: readonly IndexSpec[];
}

/** A column that gets another type and other values, and keeps its name, its place and everything that depends on it. */
export interface ColumnReplacement {
  readonly column: string;
  readonly nativeType: string;
  /** Whether it accepts nulls from now on; undefined leaves that unchanged. */
  readonly nullable?: boolean;
  /** `none` drops the default; undefined leaves it unchanged. */
  readonly default?: DefaultValue | { readonly kind: 'none' };
  /** The column with the new values, which is dropped at the end. */
  readonly source: string;
  /** The column that keeps the former values, without any rule; undefined drops them. */
  readonly former?: { readonly name: string; readonly nativeType: string };
}

/**
 * Changes a schema, one whole step per call.
 *
 * Each step may be run again: it is no error if its outcome holds already, so that a job that was cut off is simply run once
 * more. Steps are not one transaction (MySQL commits on each).
 */
export interface SchemaChanger {
  hasTable(table: string): Promise<boolean>;
  hasColumn(table: string, column: string): Promise<boolean>;
  createTable(spec: TableSpec): Promise<void>;
  dropTable(table: string): Promise<void>;
  renameTable(from: string, to: string): Promise<void>;
  addColumn(table: string, column: ColumnSpec): Promise<void>;
  /** Drops a column, together with its indexes and foreign keys. */
  dropColumn(table: string, column: string): Promise<void>;
  renameColumn(table: string, from: string, to: string): Promise<void>;
  /** Changes the type of a column and keeps its name; rejects without changes when a value does not fit. */
  changeColumn(table: string, to: ColumnSpec): Promise<void>;
  /**
   * Replaces the type and the values of a column. `fill` writes the source column, which is added if missing; nobody else writes
   * to the table from then until the end. Does nothing when the column of the former values exists already.
   */
  replaceColumn(table: string, replacement: ColumnReplacement, fill: () => Promise<void>): Promise<void>;
  /** Rejects with kind `notNull` when the column has empty cells. */
  setNotNull(table: string, column: string): Promise<void>;
  dropNotNull(table: string, column: string): Promise<void>;
  setDefault(table: string, column: string, value: DefaultValue): Promise<void>;
  dropDefault(table: string, column: string): Promise<void>;
  createIndex(table: string, index: IndexSpec): Promise<void>;
  dropIndex(table: string, index: string): Promise<void>;
  addForeignKey(table: string, key: ForeignKeySpec): Promise<void>;
  dropForeignKey(table: string, key: string): Promise<void>;
}
