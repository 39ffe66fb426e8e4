import type { StorageKind } from '@trellis/sdk/shared';
import type { TypeOptions } from '../types/default.ts';

/** A default from a closed set, since defaults stand in SQL text and cannot be bound. */
export type DefaultValue =
  { readonly kind: 'literal'; readonly value: string | number | boolean } | { readonly kind: 'now' };

export interface ColumnSpec extends TypeOptions {
  /** The physical name. */
  readonly name: string;
  readonly kind: StorageKind;
  /** Default `true`. */
  readonly nullable?: boolean;
  readonly default?: DefaultValue;
  /** The database counts up by itself; the column must be the only one of the primary key. */
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

/** A column that gets another type and other values, and keeps its name, its place and what hangs on it. */
export interface ColumnReplacement {
  readonly column: string;
  readonly nativeType: string;
  /** Says whether it takes nulls from now on; absent where this stays as it is. */
  readonly nullable?: boolean;
  /** `none` drops the default; absent where there is none, or it stays as it is. */
  readonly default?: DefaultValue | { readonly kind: 'none' };
  /** The column with the new values, which is gone afterwards. */
  readonly source: string;
  /** The column in which the former values stay, without any rule; absent where nobody wants them. */
  readonly former?: { readonly name: string; readonly nativeType: string };
}

/**
 * Changes a schema, one whole step per call.
 *
 * Each step may be run again: "already there" and "already gone" are no errors when the outcome holds, so that a job that
 * was cut off is simply run once more. Steps are not one transaction (MySQL commits on each).
 */
export interface SchemaChanger {
  hasTable(table: string): Promise<boolean>;
  hasColumn(table: string, column: string): Promise<boolean>;
  createTable(spec: TableSpec): Promise<void>;
  dropTable(table: string): Promise<void>;
  renameTable(from: string, to: string): Promise<void>;
  addColumn(table: string, column: ColumnSpec): Promise<void>;
  /** Drops a column with the indexes and foreign keys that it is part of. */
  dropColumn(table: string, column: string): Promise<void>;
  renameColumn(table: string, from: string, to: string): Promise<void>;
  /** Gives a column another type, keeping its name; rejects, and changes nothing, when a value does not fit. */
  changeColumn(table: string, to: ColumnSpec): Promise<void>;
  /**
   * Replaces the type and the values of a column. `fill` writes the source, which is added when it is not there, and nobody else
   * writes to the table from then until the end. Does nothing when the column of the former values is there already.
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
