import type { Predicate } from '@trellis/sdk/shared';
import type { ColumnSchema } from '@trellis/sdk/server';
import type { Query } from '../sql/unit.ts';
import type { Binding } from '../sql/session.ts';
import { bound, joined, sql, text, type SqlFragment } from '../sql/fragment.ts';
import { columnSql, reading, tableSql, typeOf, type CompileContext } from './compile-context.ts';
import { compileColumn } from './compile-expression.ts';
import { computedType } from './computed-columns.ts';
import { compilePredicate } from './compile-predicate.ts';

export interface OrderBy {
  readonly column: ColumnSchema;
  readonly direction: 'asc' | 'desc';
}

/** A query about one table, before paging. */
export interface CompiledQuery extends CompileContext {
  readonly predicate: Predicate | undefined;
  readonly order: readonly OrderBy[] | 'random';
}

/** The condition of a query, with another one that must hold as well; undefined where every row is meant. */
export function whereOf(query: CompiledQuery, and?: SqlFragment): SqlFragment | undefined {
  const parts = [
    ...(query.predicate === undefined ? [] : [compilePredicate(query, query.predicate)]),
    ...(and === undefined ? [] : [and]),
  ];
  return parts.length === 0 ? undefined : joined(parts, ' and ');
}

/** The terms by which the rows of a query are ordered. */
export function orderOf(query: CompiledQuery): readonly SqlFragment[] {
  const { order, dialect } = query;
  if (order === 'random') return [dialect.statements.randomOrder()];
  return order.flatMap(({ column, direction }) => {
    const { sql: value, type } = compileColumn(query, column);
    return column.primaryKey && column.required && column.storage !== 'string' && column.storage !== 'decimal'
      ? [sql`${value} ${text(direction)}`]
      : dialect.functions.orderBy(type, value, direction);
  });
}

/** Select lists by table of columns: plans hand over the same arrays again and again. */
const knownLists = new WeakMap<readonly ColumnSchema[], SqlFragment>();

function columnsSql(context: CompileContext, columns: readonly ColumnSchema[]): SqlFragment {
  const known = knownLists.get(columns);
  if (known !== undefined) return known;
  if (columns.length === 0) return text('1');
  const made = joined(
    columns.map((column) => shownSql(context, column)),
    ', ',
  );
  // What a column is computed from may change without the column.
  if (columns.every((column) => column.columnName !== '')) knownLists.set(columns, made);
  return made;
}

/** A cell that cannot be computed is empty: one broken column must not keep the others from being read. */
export function shownSql(context: CompileContext, column: ColumnSchema): SqlFragment {
  if (column.columnName !== '') return columnSql(context, column);
  return computedType(context, column) === undefined ? text('null') : compileColumn(context, column).sql;
}

/** Past this offset only keys are skipped, and whole rows are read for the page alone. */
const deepOffset = 1000;

export interface PageOf {
  readonly limit: number;
  readonly offset: number;
  /** Start right after this key instead of skipping rows: only where the order is the ascending single key. */
  readonly after?: { readonly column: ColumnSchema; readonly value: Binding; readonly inclusive: boolean };
}

/** One page of rows. */
export function selectPage(
  asked: CompiledQuery,
  columns: readonly ColumnSchema[],
  page: PageOf,
): SqlFragment {
  const query = reading(asked);
  const { statements } = query.dialect;
  const { after, limit, offset } = page;
  const seek =
    after &&
    sql`${columnSql(query, after.column)} ${text(after.inclusive ? '>=' : '>')} ${bound(after.value)}`;
  const from = tableSql(query);
  const orderBy = orderOf(query);
  const matching = { from, where: whereOf(query, seek), orderBy, limit, offset };
  const shown = columnsSql(query, columns);
  const [key, ...others] = query.table.primaryKey;
  if (offset <= deepOffset || key === undefined || others.length > 0 || query.order === 'random')
    return statements.select({ columns: shown, ...matching });
  const keySql = columnSql(query, key);
  const inner = statements.select({ columns: keySql, ...matching });
  // MySQL takes no limit directly inside `in`, so the keys stand in a derived table.
  const keys = columnSql({ ...query, alias: 'page_keys' }, key);
  const onPage = sql`${keySql} in (select ${keys} from (${inner}) as page_keys)`;
  return statements.select({ columns: shown, from, where: onPage, orderBy });
}

/** Every row, for a stream. */
export function selectAll(asked: CompiledQuery, columns: readonly ColumnSchema[]): SqlFragment {
  const query = reading(asked);
  return query.dialect.statements.select({
    columns: columnsSql(query, columns),
    from: tableSql(query),
    where: whereOf(query),
    orderBy: orderOf(query),
  });
}

export interface CountQuery {
  readonly query: Query;
  /** The same text for the same query, to remember the answer by. */
  readonly shape: string;
}

export function selectCount(asked: CompiledQuery): CountQuery {
  const query = reading(asked);
  const fragment = query.dialect.statements.select({
    columns: text('count(*) as n'),
    from: tableSql(query),
    where: whereOf(query),
  });
  return {
    query: fragment,
    shape: JSON.stringify([fragment.sql, fragment.bindings], bigintToText),
  };
}

function bigintToText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** The rows with these values in these columns that also meet the predicate, if there is one. */
export function selectWhere(
  asked: CompileContext,
  columns: readonly ColumnSchema[],
  where: readonly (readonly [ColumnSchema, Binding])[],
  predicate?: Predicate,
): SqlFragment {
  const context = reading(asked);
  const also = predicate === undefined ? text('') : sql` and ${compilePredicate(context, predicate)}`;
  return context.dialect.statements.select({
    columns: columnsSql(context, columns),
    from: tableSql(context),
    where: sql`${equalities(context, where)}${also}`,
  });
}

/**
 * Keeps the rows that a query reads as they are until the transaction ends: what is read before a write is recorded with it.
 * They are taken in the order of the key, so that two writers of the same rows wait for each other in turn and not crosswise.
 */
export function lockingRows(asked: CompileContext, query: SqlFragment, limit?: number): SqlFragment {
  const context = reading(asked);
  const { table, dialect } = context;
  const orderBy = table.primaryKey.map((column) => columnSql(context, column));
  return dialect.statements.locking(query, { orderBy, limit });
}

/** The rows whose single key is one of these. */
export function selectIn(
  asked: CompileContext,
  columns: readonly ColumnSchema[],
  key: ColumnSchema,
  values: readonly Binding[],
): SqlFragment {
  const context = reading(asked);
  return context.dialect.statements.select({
    columns: columnsSql(context, columns),
    from: tableSql(context),
    where: sql`${columnSql(context, key)} in (${joined(values.map(bound), ', ')})`,
  });
}

/** The rows with the greatest keys, the greatest first. */
export function selectNewest(
  asked: CompileContext,
  columns: readonly ColumnSchema[],
  limit: number,
): SqlFragment {
  const context = reading(asked);
  return context.dialect.statements.select({
    columns: columnsSql(context, columns),
    from: tableSql(context),
    orderBy: context.table.primaryKey.map((column) => sql`${columnSql(context, column)} desc`),
    limit,
  });
}

/** The condition that columns hold these values, empty cells included. */
export function equalities(
  context: CompileContext,
  where: readonly (readonly [ColumnSchema, Binding])[],
): SqlFragment {
  const { functions } = context.dialect;
  return joined(
    where.map(([column, value]) =>
      value === null
        ? sql`${columnSql(context, column)} is null`
        : functions.equals(
            typeOf(column),
            columnSql(context, column),
            functions.value(typeOf(column), value),
          ),
    ),
    ' and ',
  );
}

/** Counts rows by the values of a column, most frequent first. */
export function selectGroups(
  asked: CompiledQuery,
  column: ColumnSchema,
  page: { readonly limit: number; readonly offset: number },
): Query {
  const query = reading(asked);
  const { functions, statements } = query.dialect;
  const { sql: value, type } = compileColumn(query, column);
  // The value is bound and computed once, in a derived table: an expression that stands twice is two to PostgreSQL.
  const values = statements.select({
    columns: sql`${value} as v`,
    from: tableSql(query),
    where: whereOf(query),
  });
  const name = text('grouped.v');
  const isBoolean = type.kind === 'boolean';
  return statements.select({
    columns: sql`count(*) as n, ${isBoolean ? name : functions.minimum(type, name)} as v`,
    from: sql`(${values}) as grouped`,
    groupBy: [isBoolean ? name : functions.groupKey(type, name)],
    orderBy: [text('n desc'), text('2')],
    limit: page.limit,
    offset: page.offset,
  });
}
