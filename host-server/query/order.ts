import type { ColumnSchema } from '@trellis/sdk/server';
import type { Dialect } from '../dialects/dialect.ts';
import { isText } from '../dialects/functions/default.ts';
import { sql, text, type SqlFragment } from '../sql/fragment.ts';
import { holdsList, sourceOf } from './computed-columns.ts';
import { columnContext } from './column-context.ts';
import { tableSql, type CompileContext } from './compile-context.ts';
import { compileColumn } from './compile-expression.ts';
import { JoinedRows } from './joined-rows.ts';
import { orderOfList } from './list-values.ts';
import type { TypedSql } from './result-types.ts';
import type { CompiledQuery } from './select.ts';

export interface OrderBy {
  readonly column: ColumnSchema;
  readonly direction: 'asc' | 'desc';
}

/**
 * The table of a query and the terms by which its rows are ordered. Where a term follows a to-one link, the linked row is joined,
 * which changes neither the number of rows nor their conditions.
 *
 * @param areOfAllRows whether the statement looks at every row of the table
 */
export function orderedFrom(
  query: CompiledQuery,
  areOfAllRows = query.rule === undefined && query.predicate === undefined,
): {
  readonly from: SqlFragment;
  readonly orderBy: readonly SqlFragment[];
} {
  const joins = new JoinedRows({ areOfAllRows, isSearch: query.isSearch });
  const orderBy = orderOf({ ...query, joins });
  return { from: joins.from(tableSql(query)), orderBy };
}

type OrderedQuery = CompileContext & { readonly order: readonly OrderBy[] | 'random' };

/** The terms by which the rows of a query are ordered. */
export function orderOf(query: OrderedQuery): readonly SqlFragment[] {
  const { order, dialect } = query;
  if (order === 'random') return [dialect.statements.randomOrder()];
  return order.flatMap(({ column, direction }) => {
    if (holdsList(query.reach, column)) return listTerms(query, column, direction);
    const value = orderValue(query, column);
    const isPlainKey =
      column.primaryKey && column.required && column.storage !== 'string' && column.storage !== 'decimal';
    // Written without nulls handling, as the index is: no row has an empty place.
    if (isPlainKey || column === query.table.rowOrder) return [sql`${value.sql} ${text(direction)}`];
    return orderTerms(query, column, { value, direction });
  });
}

/**
 * Terms that order rows by a list column. Each costs a sub-select, so there is no second term to tell texts apart that differ
 * only in case.
 */
function listTerms(
  query: CompileContext,
  column: ColumnSchema,
  direction: OrderBy['direction'],
): readonly SqlFragment[] {
  const { functions } = query.dialect;
  return orderOfList(query, column).flatMap(({ type, sql: value }) =>
    functions.orderBy(type, isText(type) ? functions.start(value) : value, direction).slice(0, 1),
  );
}

/**
 * The value by which rows are ordered and grouped in a column. A sort keeps it for every row and cells may have megabytes, so
 * texts count by their start. Keys are taken whole, since they make the order total.
 */
export function orderValue(context: CompileContext, column: ColumnSchema): TypedSql {
  const value = compileColumn(context, column);
  const isWhole = column.primaryKey || !isText(value.type);
  return isWhole ? value : { ...value, sql: context.dialect.functions.start(value.sql) };
}

/**
 * Terms of `order by` for a column: by the place of a value in the list of its type, where the type has a list, else by the
 * value. Only lists, and values that are not in the list, can share a place; these are then ordered by code points, because
 * folding letters is costly.
 */
export function orderTerms(
  context: CompileContext,
  column: ColumnSchema,
  { value, direction }: { readonly value: TypedSql; readonly direction: OrderBy['direction'] },
): readonly SqlFragment[] {
  const { functions } = context.dialect;
  const place = placeOf(context, column, value);
  const type = value.isWhole === true ? { ...value.type, isWhole: true } : value.type;
  const terms = functions.orderBy(type, value.sql, direction);
  if (place === undefined) return terms;
  return [...functions.orderBy({ kind: 'integer' }, place, direction), ...terms.slice(-1)];
}

/** The place of a column's values in the list of its type; undefined when the type has no list. Empty cells have no place. */
function placeOf(
  { reach, dialect }: CompileContext,
  column: ColumnSchema,
  { sql: value, type }: TypedSql,
): SqlFragment | undefined {
  const of = sourceOf(reach, column);
  const { separator, valuesInOrder } = reach.columnTypes.get(of.type) ?? {};
  if (valuesInOrder === undefined || !isText(type)) return undefined;
  const list = valuesInOrder(columnContext(of, reach.columnTypes.get(of.type)).options) ?? [];
  if (list.length === 0) return undefined;
  const item = separator === undefined ? value : dialect.functions.before(value, separator);
  const places = list.map((text, place) => ({ text, place, bytes: Buffer.from(text) }));
  const found = searched(
    dialect,
    { sql: item, type },
    places.toSorted((one, other) => one.bytes.compare(other.bytes)),
  );
  return sql`case when ${value} is not null then ${found} end`;
}

const behindAll = 2 ** 31 - 1;

/**
 * The place of a text, found by binary search: comparing a million rows with each of 500 options takes seconds. The list is in
 * byte order, as databases compare texts.
 */
function searched(
  dialect: Dialect,
  item: Pick<TypedSql, 'sql' | 'type'>,
  list: readonly { readonly text: string; readonly place: number }[],
): SqlFragment {
  const { functions } = dialect;
  const half = list.length >> 1;
  const middle = list[half];
  if (middle === undefined) return text(String(behindAll));
  const bound = functions.value(item.type, middle.text);
  if (list.length === 1)
    return sql`case when ${functions.equals(item.type, item.sql, bound)} then ${text(String(middle.place))} else ${text(String(behindAll))} end`;
  const isBefore = functions.compare(item.type, '<', item.sql, bound);
  const [before, after] = [list.slice(0, half), list.slice(half)];
  return sql`case when ${isBefore} then ${searched(dialect, item, before)} else ${searched(dialect, item, after)} end`;
}
