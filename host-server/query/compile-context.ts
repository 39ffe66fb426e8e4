import type { RegistryView } from '@trellis/core';
import {
  deepestComputed,
  type ColumnSchema,
  type FunctionDefinition,
  type ProjectSnapshot,
  type ServerColumnType,
  type TableSchema,
} from '@trellis/sdk/server';
import type { Predicate } from '@trellis/sdk/shared';
import type { Dialect } from '../dialects/dialect.ts';
import type { SqlType } from '../dialects/functions/default.ts';
import { sql, text, type SqlFragment } from '../sql/fragment.ts';
import { tooLarge } from './expression-limits.ts';
import type { JoinedRows } from './joined-rows.ts';
import { queryErrors } from './query-errors.ts';
import type { TypedSql } from './result-types.ts';

/** What a tree may reach beyond the columns of its own table. */
export interface Reach {
  readonly snapshot: ProjectSnapshot;
  readonly columnTypes: RegistryView<ServerColumnType>;
  readonly functions: RegistryView<FunctionDefinition>;
  /** The rule that rows of a table must meet to be visible to the caller; undefined where all are visible. Linked rows must meet it too. */
  readonly ruleOf?: ((tableId: string) => Predicate | undefined) | undefined;
  /**
   * Whether the caller may not read a column. Anything computed from a hidden cell, or reaching it over a link, finds it empty. A
   * link whose own columns are hidden leads to no rows.
   */
  readonly isHidden?: ((column: Pick<ColumnSchema, 'tableId' | 'id'>) => boolean) | undefined;
}

/** The table whose columns a tree names, the database that it will run on, and what it may reach from there. */
export interface CompileContext {
  readonly table: TableSchema;
  readonly dialect: Dialect;
  readonly reach: Reach;
  /** The table's alias in the statement. Without one it goes by its own name, as in statements that write. */
  readonly alias?: string;
  /** How many links lead from the statement's own table to this one. */
  readonly level?: number;
  /** Rows of the statement's own table are read to be locked. */
  readonly isLocking?: boolean;
  /** The table that the statement writes to. */
  readonly written?: TableSchema;
  /** Joins the row that a to-one link leads to. Without it, linked rows are read by sub-selects. */
  readonly joins?: JoinedRows | undefined;
  /** Computed columns (by id) and functions (by `id()`) that are being compiled, outermost first. */
  readonly open?: readonly string[];
  /**
   * Inside a list of values, the column that stands for one value of the list at a time; `of` is the column of this table that
   * holds the values.
   */
  readonly each?: { readonly columnId: string; readonly of: ColumnSchema } | undefined;
  /** A computed column of the statement's own table whose value a derived table already has under a name. */
  readonly known?: { readonly columnId: string; readonly value: TypedSql } | undefined;
  /** The computed columns that the statement has compiled. */
  readonly compiled?: CompiledColumns;
  /** Levels of the trees that are being compiled. */
  readonly treeDepth?: number;
}

/** The computed columns of one statement, each compiled once. They can be used by contexts that differ in their table only. */
export interface CompiledColumns extends Pick<CompileContext, 'dialect' | 'reach' | 'joins' | 'known'> {
  /** By alias and id. `height` is the deepest nesting of columns and functions in the value. */
  readonly columns: Map<string, { readonly value: TypedSql; readonly height: number }>;
  /** The deepest nesting of columns and functions since the innermost open column began. */
  readonly reached: { open: number };
}

/**
 * The context with the columns that were compiled for the same reach, or with an empty collection where its columns belong to
 * another reach.
 */
export function remembering<Context extends CompileContext>(
  context: Context,
): Context & { readonly compiled: CompiledColumns } {
  const { compiled, dialect, reach, joins, known } = context;
  const isSame =
    compiled !== undefined &&
    compiled.dialect === dialect &&
    compiled.reach === reach &&
    compiled.joins === joins &&
    compiled.known === known;
  if (isSame) return { ...context, compiled };
  const reached = compiled?.reached ?? { open: 0 };
  return { ...context, compiled: { dialect, reach, joins, known, columns: new Map(), reached } };
}

/**
 * The context in which a computed column is compiled.
 *
 * @throws TrellisError 409 for a column that is computed from itself, 400 when too many are nested
 */
export function inside(context: CompileContext, column: ColumnSchema): CompileContext {
  const { open = [] } = context;
  if (open.includes(column.id)) throw queryErrors.create('COLUMN_CIRCULAR', { column: column.title });
  if (open.length >= deepestComputed) throw tooLarge();
  return { ...context, open: [...open, column.id], each: undefined };
}

/** The context in which rules about rows are compiled. A rule looks at all linked rows, whatever the caller may see. */
export function seeingAll<Context extends CompileContext>(context: Context): Context {
  const { reach } = context;
  if (reach.ruleOf === undefined && reach.isHidden === undefined) return context;
  return { ...context, reach: { ...reach, ruleOf: undefined, isHidden: undefined } };
}

/** Quotes the name of a table or column. A question mark in a name is escaped, so that it is no binding. */
export function quoted(dialect: Dialect, name: string): SqlFragment {
  return text(dialect.identifiers.quote(name).replaceAll('?', '\\?'));
}

const rootAlias = 't0';

/** The context of a statement that reads: its table has an alias. */
export function reading<Context extends CompileContext>(context: Context): Context {
  return remembering(context.alias === undefined ? { ...context, alias: rootAlias } : context);
}

/** As `quoted`, for the name of a table. */
export function quotedTable(dialect: Dialect, name: string): SqlFragment {
  return text(dialect.identifiers.table(name).replaceAll('?', '\\?'));
}

/** The table as it stands behind `from`, `update` or `delete from`. */
export function tableSql({ dialect, table, alias, isLocking, level = 0 }: CompileContext): SqlFragment {
  const name = quotedTable(dialect, table.tableName);
  if (alias === undefined) return name;
  const hint = isLocking === true && level === 0 ? dialect.statements.lockHint : undefined;
  return sql`${name} as ${text(alias)}${hint ?? text('')}`;
}

/** Every read asks for columns of the statement's own table, so their SQL is kept. */
const rootColumns = new WeakMap<ColumnSchema, SqlFragment>();

/** `t0."Title"`: a column of the database, always qualified. */
export function columnSql({ dialect, table, alias }: CompileContext, column: ColumnSchema): SqlFragment {
  const known = alias === rootAlias ? rootColumns.get(column) : undefined;
  if (known !== undefined) return known;
  const from = alias === undefined ? quotedTable(dialect, table.tableName) : text(alias);
  const made = sql`${from}.${quoted(dialect, column.columnName)}`;
  if (alias === rootAlias) rootColumns.set(column, made);
  return made;
}

const names = new WeakMap<ColumnSchema, SqlFragment>();

/** `"Title"`: an unqualified column, for places such as the column list of an insert. */
export function nameSql(dialect: Dialect, column: ColumnSchema): SqlFragment {
  const known = names.get(column);
  if (known !== undefined) return known;
  const made = quoted(dialect, column.columnName);
  names.set(column, made);
  return made;
}

/** How the values of a column of the database compare. */
export function typeOf(column: ColumnSchema): SqlType {
  return { kind: column.storage, native: column.nativeType };
}
