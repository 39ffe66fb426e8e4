import type { Predicate } from '@trellis/sdk/shared';
import type { ColumnSchema } from '@trellis/sdk/server';
import type { Query } from '../sql/unit.ts';
import type { Binding } from '../sql/session.ts';
import type { SqlType } from '../dialects/functions/default.ts';
import { bound, joined, sizeOf, sql, text, type SqlFragment } from '../sql/fragment.ts';
import { columnSql, reading, tableSql, typeOf, type CompileContext } from './compile-context.ts';
import { hasKeysOfOthers, keysOf } from './key-texts.ts';
import { compileColumn } from './compile-expression.ts';
import { computedType } from './computed-columns.ts';
import { keptComputed } from './computed-lists.ts';
import { compilePredicate, compileRule } from './compile-predicate.ts';
import { orderedFrom, type OrderBy } from './order.ts';

export interface Conditions {
  /** The rule that makes rows visible to the caller. */
  readonly rule?: Predicate | undefined;
  /** The further condition of the query. */
  readonly predicate?: Predicate | undefined;
}

/** A query about one table, before paging. */
export interface CompiledQuery extends CompileContext, Conditions {
  readonly predicate: Predicate | undefined;
  readonly order: readonly OrderBy[] | 'random';
  /** The query looks at many rows, and is cancelled when its caller goes away. */
  readonly isSearch?: boolean;
}

/** The condition of a query combined with further ones; undefined when all rows are selected. */
export function whereOf(
  query: CompileContext & Conditions & Pick<CompiledQuery, 'isSearch'>,
  ...others: readonly (SqlFragment | undefined)[]
): SqlFragment | undefined {
  const [key] = query.table.primaryKey;
  const endable =
    query.isSearch === true ? query.dialect.statements.endable(key && columnSql(query, key)) : undefined;
  const rule = query.rule && compileRule(query, query.rule);
  const own = query.predicate && compilePredicate(query, query.predicate);
  // `endable` comes first, so that it is evaluated for every row and not only for those that match.
  const parts = [endable, rule, own, ...others].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : joined(parts, ' and ');
}

/** SQL of columns, kept by the array of columns. Reads pass the same arrays again and again (`ShownColumns`). */
type KeptSql = WeakMap<readonly ColumnSchema[], SqlFragment | undefined>;

const knownLists: KeptSql = new WeakMap();

function keptSql<Made extends SqlFragment | undefined>(
  known: KeptSql,
  columns: readonly ColumnSchema[],
  make: () => Made,
): Made {
  if (known.has(columns)) return known.get(columns) as Made;
  const made = make();
  // The sources of a computed column may change without the column, so its SQL is not kept here.
  if (areStored(columns)) known.set(columns, made);
  return made;
}

function columnsSql(context: CompileContext, columns: readonly ColumnSchema[]): SqlFragment {
  if (columns.length === 0) return text('1');
  const listed = (of: CompileContext) => joined(shownCells(of, columns), ', ');
  return areStored(columns)
    ? keptSql(knownLists, columns, () => listed(context))
    : keptComputed(context, columns, listed);
}

function areStored(columns: readonly ColumnSchema[]): boolean {
  return columns.every(({ columnName }) => columnName !== '');
}

/** A value as it is written in a select list. */
export function readSql(
  { dialect }: CompileContext,
  { sql: value, type }: { readonly sql: SqlFragment; readonly type: SqlType },
): SqlFragment {
  return dialect.functions.shown?.(type, value) ?? value;
}

/** The SQL of a cell. A cell that cannot be computed is null, so that one broken column does not keep the others from being read. */
export function shownSql(context: CompileContext, column: ColumnSchema): SqlFragment {
  if (column.columnName !== '')
    return readSql(context, { sql: columnSql(context, column), type: typeOf(column) });
  return computedType(context, column) === undefined
    ? text('null')
    : readSql(context, compileColumn(context, column));
}

/** The cells of a select list. A computed cell that would exceed the bindings of a statement is null, so that the others can be read. */
function shownCells(context: CompileContext, columns: readonly ColumnSchema[]): readonly SqlFragment[] {
  // Conditions may take half of the bindings, and some statements contain the cells twice.
  let left = context.dialect.limits.parametersPerStatement / 4;
  return columns.map((column) => {
    const cell = shownSql(context, column);
    const { bindings } = sizeOf(cell);
    if (bindings > left) return text('null');
    left -= bindings;
    return cell;
  });
}

/** Beyond this offset only keys are skipped, and whole rows are read just for the page. */
const deepOffset = 1000;

export interface PageOf {
  readonly limit: number;
  readonly offset: number;
  /**
   * Starts at the row with these values instead of skipping rows. Allowed only when the rows are ordered by exactly these
   * columns, ascending.
   */
  readonly from?: readonly { readonly column: ColumnSchema; readonly value: Binding }[];
  /** Asks for short rows only, as reads in the server's own process must, see `Database.readJson`. */
  readonly isShort?: boolean;
}

/** The most bytes of a row that is read in the server's own process, shared among its cells. */
const shortRow = 256 * 1024;
const shortCell = 1024;
const knownLimits: KeptSql = new WeakMap();

/** The condition that rows are short; undefined when every row is. */
function shortRows(context: CompileContext, columns: readonly ColumnSchema[]): SqlFragment | undefined {
  const most = Math.max(shortCell, Math.floor(shortRow / columns.length));
  return keptSql(knownLimits, columns, () =>
    context.dialect.statements.shortRow(shownCells(context, columns), most),
  );
}

/** One page of rows. */
export function selectPage(
  asked: CompiledQuery,
  columns: readonly ColumnSchema[],
  page: PageOf,
): SqlFragment {
  const query = reading(asked);
  const { statements } = query.dialect;
  const { limit, offset } = page;
  const seek = page.from && seekTo(query, page.from);
  const { from, orderBy } = orderedFrom(query);
  const short = page.isShort === true ? shortRows(query, columns) : undefined;
  const matching = { from, where: whereOf(query, seek, short), orderBy, limit, offset };
  const shown = columnsSql(query, columns);
  const [key, ...others] = query.table.primaryKey;
  if (offset <= deepOffset || key === undefined || others.length > 0 || query.order === 'random')
    return statements.select({ columns: shown, ...matching });
  const keySql = columnSql(query, key);
  const inner = statements.select({ columns: keySql, ...matching });
  // MySQL takes no limit directly inside `in`, so the keys stand in a derived table.
  const keys = columnSql({ ...query, alias: 'page_keys' }, key);
  const onPage = sql`${keySql} in (select ${keys} from (${inner}) as page_keys)`;
  return statements.select({ columns: shown, where: onPage, ...orderedFrom(query, false) });
}

/** The condition that rows are at a place or after it, written so that every database seeks the first column in an index. */
function seekTo(query: CompileContext, [first, ...others]: NonNullable<PageOf['from']>): SqlFragment {
  if (first === undefined) return text('1 = 1');
  const column = columnSql(query, first.column);
  const isAtOrBehind = sql`${column} >= ${bound(first.value)}`;
  if (others.length === 0) return isAtOrBehind;
  return sql`${isAtOrBehind} and (${column} > ${bound(first.value)} or ${seekTo(query, others)})`;
}

/** Every row, for a stream. */
export function selectAll(asked: CompiledQuery, columns: readonly ColumnSchema[]): SqlFragment {
  const query = reading(asked);
  return query.dialect.statements.select({
    columns: columnsSql(query, columns),
    where: whereOf(query),
    ...orderedFrom(query),
  });
}

/** The different values of columns in the rows of a query, in no order. */
export function selectDistinct(
  asked: CompiledQuery,
  columns: readonly ColumnSchema[],
  limit: number,
): SqlFragment {
  const query = reading(asked);
  return query.dialect.statements.select({
    columns: columnsSql(query, columns),
    from: tableSql(query),
    where: whereOf(query),
    // `group by` instead of `distinct`, because with `distinct` SQL Server takes no limit without an order.
    groupBy: columns.map((column) => columnSql(query, column)),
    limit,
  });
}

export interface CountQuery {
  readonly query: Query;
  /** The same text for the same query: the key under which its answer is remembered. */
  readonly shape: string;
}

export function selectCount(asked: CompiledQuery): CountQuery {
  const query = reading(asked);
  const fragment = query.dialect.statements.select({
    columns: text('count(*) as n'),
    from: tableSql(query),
    where: whereOf(query),
  });
  return { query: fragment, shape: shapeOf(fragment) };
}

/** The text under which the answer to a statement is remembered: equal for equal SQL and bindings. */
export function shapeOf({ sql: asked, bindings }: SqlFragment): string {
  return JSON.stringify([asked, bindings], bigintToText);
}

/** The number of rows of the table, counted to `most`, whether or not the caller may see them. */
export function selectSize(asked: CompileContext, most: number): CountQuery {
  const fragment = countedTo(reading(asked), most);
  return { query: fragment, shape: fragment.sql };
}

/** The number of rows with these values in these columns, counted to `most`. */
export function selectNumber(
  asked: CompileContext,
  where: readonly (readonly [ColumnSchema, Binding])[],
  most: number,
): SqlFragment {
  const context = reading(asked);
  return countedTo(context, most, equalities(context, where));
}

function countedTo(context: CompileContext, most: number, where?: SqlFragment): SqlFragment {
  const { statements } = context.dialect;
  const some = statements.select({ columns: text('1 as one'), from: tableSql(context), where, limit: most });
  return statements.select({ columns: text('count(*) as n'), from: sql`(${some}) as some_rows` });
}

function bigintToText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** The rows with these values in these columns that also meet the rule, if there is one. */
export function selectWhere(
  asked: CompileContext,
  columns: readonly ColumnSchema[],
  where: readonly (readonly [ColumnSchema, Binding])[],
  rule?: Predicate,
): SqlFragment {
  const context = reading(asked);
  const also = rule === undefined ? text('') : sql` and ${compileRule(context, rule)}`;
  return context.dialect.statements.select({
    columns: columnsSql(context, columns),
    from: tableSql(context),
    where: sql`${equalities(context, where)}${also}`,
  });
}

/** Texts of reads by key. Values are bound, so one text serves all rows. */
const knownReads: KeptSql = new WeakMap();

/** The row with this primary key, in the form that `Database.get` takes, if it also meets the conditions. */
export function selectOne(
  asked: CompileContext,
  columns: readonly ColumnSchema[],
  key: readonly (readonly [ColumnSchema, Binding])[],
  conditions: Conditions = {},
): SqlFragment {
  const isHinted = asked.isLocking === true && asked.dialect.statements.lockHint !== undefined;
  const isConditional = conditions.rule !== undefined || conditions.predicate !== undefined;
  if (isHinted || isConditional || key.some(([, value]) => value === null))
    return compileOne(asked, columns, key, conditions);
  const values = key.map(([, value]) => value);
  const kept = keptSql(knownReads, columns, () => {
    const made = compileOne(asked, columns, key);
    // MySQL compares a text twice and so binds it twice.
    const isKeyAlone =
      made.bindings.length === values.length && made.bindings.every((value, at) => value === values[at]);
    return isKeyAlone ? made : undefined;
  });
  return kept === undefined ? compileOne(asked, columns, key) : { sql: kept.sql, bindings: values };
}

function compileOne(
  asked: CompileContext,
  columns: readonly ColumnSchema[],
  key: readonly (readonly [ColumnSchema, Binding])[],
  conditions: Conditions = {},
): SqlFragment {
  const context = reading(asked);
  return context.dialect.statements.select({
    columns: columnsSql(context, columns),
    from: tableSql(context),
    where: whereOf({ ...context, ...conditions }, equalities(context, key), shortRows(context, columns)),
  });
}

/**
 * Locks the rows that a query reads until the transaction ends, so that a write is recorded with the values it replaced. Rows are
 * locked in the order of the key, so that two writers of the same rows wait for each other and do not deadlock.
 */
export function lockingRows<Context extends CompileContext>(
  asked: Context,
  select: (context: Context) => SqlFragment,
  limit?: number,
): SqlFragment {
  const context = reading({ ...asked, isLocking: true });
  const { table, dialect } = context;
  const orderBy = table.primaryKey.map((column) => columnSql(context, column));
  return dialect.statements.locking(select(context), { orderBy, limit });
}

/** The rows whose single key is one of these, and that also meet the conditions of the query. */
export function selectIn(
  asked: CompileContext & Conditions,
  columns: readonly ColumnSchema[],
  key: ColumnSchema,
  values: readonly Binding[],
): SqlFragment {
  const query = reading(asked);
  const isOneOf = sql`${columnSql(query, key)} in (${joined(values.map(bound), ', ')})`;
  return query.dialect.statements.select({
    columns: columnsSql(query, columns),
    from: tableSql(query),
    where: whereOf(query, isOneOf),
  });
}

/** The rows with the greatest keys, in descending order. */
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

/** The condition that columns have these values; null matches empty cells. */
export function equalities(
  context: CompileContext,
  where: readonly (readonly [ColumnSchema, Binding])[],
): SqlFragment {
  const { functions } = context.dialect;
  const ofKeys = hasKeysOfOthers(context) ? keysOf(context) : functions;
  const isKey = ({ id }: ColumnSchema) => context.table.primaryKey.some((key) => key.id === id);
  return joined(
    where.map(([column, value]) =>
      value === null
        ? sql`${columnSql(context, column)} is null`
        : (isKey(column) ? ofKeys : functions).equals(
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
  // The value is computed and bound once, in a derived table: PostgreSQL takes a repeated expression for a different one.
  const values = statements.select({
    columns: sql`${value} as v`,
    from: tableSql(query),
    where: whereOf(query),
  });
  const name = text('grouped.v');
  const isBoolean = type.kind === 'boolean';
  return statements.select({
    columns: sql`count(*) as n, ${readSql(query, { sql: isBoolean ? name : functions.minimum(type, name), type })} as v`,
    from: sql`(${values}) as grouped`,
    groupBy: [isBoolean ? name : functions.groupKey(type, name)],
    orderBy: [text('n desc'), text('2')],
    limit: page.limit,
    offset: page.offset,
  });
}
