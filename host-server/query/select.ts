import type { Predicate } from '@trellis/sdk/shared';
import type { ColumnSchema } from '@trellis/sdk/server';
import type { Query } from '../sql/unit.ts';
import type { Binding } from '../sql/session.ts';
import { bound, joined, sql, text, type SqlFragment } from '../sql/fragment.ts';
import { columnSql, compilePredicate, quoted, typeOf, type CompileContext } from './compile-predicate.ts';

export interface OrderBy {
  readonly column: ColumnSchema;
  readonly direction: 'asc' | 'desc';
}

/** A question about one table, before paging. */
export interface Question extends CompileContext {
  readonly predicate: Predicate | undefined;
  readonly order: readonly OrderBy[] | 'random';
}

function fromSql(question: CompileContext): SqlFragment {
  return quoted(question.dialect, question.table.tableName);
}

function whereOf(question: Question, and?: SqlFragment): SqlFragment | undefined {
  const parts = [
    ...(question.predicate === undefined ? [] : [compilePredicate(question, question.predicate)]),
    ...(and === undefined ? [] : [and]),
  ];
  return parts.length === 0 ? undefined : joined(parts, ' and ');
}

function whereSql(question: Question): SqlFragment {
  const where = whereOf(question);
  return where === undefined ? text('') : sql` where ${where}`;
}

function orderOf(question: Question): readonly SqlFragment[] {
  const { order, dialect } = question;
  if (order === 'random') return [dialect.statements.randomOrder()];
  return order.flatMap(({ column, direction }) =>
    column.primaryKey && column.required && column.storage !== 'string' && column.storage !== 'decimal'
      ? [sql`${columnSql(question, column)} ${text(direction)}`]
      : dialect.functions.orderBy(typeOf(column), columnSql(question, column), direction),
  );
}

function columnsSql(question: CompileContext, columns: readonly ColumnSchema[]): SqlFragment {
  return columns.length === 0
    ? text('1')
    : joined(
        columns.map((column) => columnSql(question, column)),
        ', ',
      );
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
export function selectPage(question: Question, columns: readonly ColumnSchema[], page: PageOf): Query {
  const { after } = page;
  const seek =
    after &&
    sql`${columnSql(question, after.column)} ${text(after.inclusive ? '>=' : '>')} ${bound(after.value)}`;
  const { statements } = question.dialect;
  const from = fromSql(question);
  const orderBy = orderOf(question);
  const { limit, offset } = page;
  const matching = { from, where: whereOf(question, seek), orderBy, limit, offset };
  const shown = columnsSql(question, columns);
  const key = question.table.primaryKey;
  if (offset <= deepOffset || key.length !== 1 || question.order === 'random')
    return statements.select({ columns: shown, ...matching });
  const keys = columnsSql(question, key);
  const inner = statements.select({ columns: keys, ...matching });
  // MySQL takes no limit directly inside `in`, so the keys stand in a derived table.
  const onPage = sql`${keys} in (select ${keys} from (${inner}) as page_keys)`;
  return statements.select({ columns: shown, from, where: onPage, orderBy });
}

/** Every row, for a stream. */
export function selectAll(question: Question, columns: readonly ColumnSchema[]): SqlFragment {
  return question.dialect.statements.select({
    columns: columnsSql(question, columns),
    from: fromSql(question),
    where: whereOf(question),
    orderBy: orderOf(question),
  });
}

export interface CountQuery {
  readonly query: Query;
  /** The same text for the same question, to remember the answer by. */
  readonly shape: string;
}

export function selectCount(question: Question): CountQuery {
  const fragment = sql`select count(*) as ${text('n')} from ${fromSql(question)}${whereSql(question)}`;
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
  context: CompileContext,
  columns: readonly ColumnSchema[],
  where: readonly (readonly [ColumnSchema, Binding])[],
  predicate?: Predicate,
): SqlFragment {
  const also = predicate === undefined ? text('') : sql` and ${compilePredicate(context, predicate)}`;
  return sql`select ${columnsSql(context, columns)} from ${fromSql(context)} where ${equalities(context, where)}${also}`;
}

/**
 * Keeps the rows that a query reads as they are until the transaction ends: what is read before a write is recorded with it.
 * They are taken in the order of the key, so that two writers of the same rows wait for each other in turn and not crosswise.
 */
export function lockingRows(context: CompileContext, query: SqlFragment, limit?: number): SqlFragment {
  const { table, dialect } = context;
  const orderBy = table.primaryKey.map((column) => columnSql(context, column));
  return dialect.statements.locking(query, { orderBy, limit });
}

/** The rows whose single key is one of these. */
export function selectIn(
  context: CompileContext,
  columns: readonly ColumnSchema[],
  key: ColumnSchema,
  values: readonly Binding[],
): SqlFragment {
  return sql`select ${columnsSql(context, columns)} from ${fromSql(context)} where ${columnSql(context, key)} in (${joined(values.map(bound), ', ')})`;
}

/** The rows with the greatest keys, the greatest first. */
export function selectNewest(
  context: CompileContext,
  columns: readonly ColumnSchema[],
  limit: number,
): SqlFragment {
  return context.dialect.statements.select({
    columns: columnsSql(context, columns),
    from: fromSql(context),
    orderBy: context.table.primaryKey.map((column) => sql`${columnSql(context, column)} desc`),
    limit,
  });
}

function equalities(
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
  question: Question,
  column: ColumnSchema,
  page: { readonly limit: number; readonly offset: number },
): Query {
  const { functions, statements } = question.dialect;
  const name = columnSql(question, column);
  const key = functions.groupKey(typeOf(column), name);
  const shown = functions.minimum(typeOf(column), name);
  const isBoolean = column.storage === 'boolean';
  return statements.select({
    columns: sql`count(*) as n, ${isBoolean ? name : shown} as v`,
    from: fromSql(question),
    where: whereOf(question),
    groupBy: [isBoolean ? name : key],
    orderBy: [text('n desc'), text('v')],
    limit: page.limit,
    offset: page.offset,
  });
}

export function updateRow(
  context: CompileContext,
  changes: readonly (readonly [ColumnSchema, Binding])[],
  where: readonly (readonly [ColumnSchema, Binding])[],
): Query {
  return sql`update ${fromSql(context)} set ${assignmentsSql(context, changes)} where ${equalities(context, where)}`;
}

/** Sets the same values in the rows whose single key is one of these. */
export function updateIn(
  context: CompileContext,
  changes: readonly (readonly [ColumnSchema, Binding])[],
  key: ColumnSchema,
  values: readonly Binding[],
): Query {
  return sql`update ${fromSql(context)} set ${assignmentsSql(context, changes)} where ${columnSql(context, key)} in (${joined(values.map(bound), ', ')})`;
}

export function deleteIn(context: CompileContext, key: ColumnSchema, values: readonly Binding[]): Query {
  return sql`delete from ${fromSql(context)} where ${columnSql(context, key)} in (${joined(values.map(bound), ', ')})`;
}

function assignmentsSql(
  context: CompileContext,
  changes: readonly (readonly [ColumnSchema, Binding])[],
): SqlFragment {
  return joined(
    changes.map(([column, value]) => sql`${columnSql(context, column)} = ${bound(value)}`),
    ', ',
  );
}

export function deleteRow(
  context: CompileContext,
  where: readonly (readonly [ColumnSchema, Binding])[],
): Query {
  return sql`delete from ${fromSql(context)} where ${equalities(context, where)}`;
}

/** Writes to every row that meets the question's predicate. */
export function updateMatching(
  question: Question,
  changes: readonly (readonly [ColumnSchema, Binding])[],
): Query {
  return sql`update ${fromSql(question)} set ${assignmentsSql(question, changes)}${whereSql(question)}`;
}

export function deleteMatching(question: Question): Query {
  return sql`delete from ${fromSql(question)}${whereSql(question)}`;
}
