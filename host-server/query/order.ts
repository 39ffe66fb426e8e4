import type { ColumnSchema } from '@trellis/sdk/server';
import { behindAll, isText } from '../dialects/functions/default.ts';
import { sql, text, type SqlFragment } from '../sql/fragment.ts';
import { columnContext } from './column-context.ts';
import type { CompileContext } from './compile-context.ts';
import { compileColumn } from './compile-expression.ts';
import type { TypedSql } from './result-types.ts';

export interface OrderBy {
  readonly column: ColumnSchema;
  readonly direction: 'asc' | 'desc';
}

/** The terms by which the rows of a query are ordered. */
export function orderOf(
  query: CompileContext & { readonly order: readonly OrderBy[] | 'random' },
): readonly SqlFragment[] {
  const { order, dialect } = query;
  if (order === 'random') return [dialect.statements.randomOrder()];
  return order.flatMap(({ column, direction }) => {
    const value = orderValue(query, column);
    if (column.primaryKey && column.required && column.storage !== 'string' && column.storage !== 'decimal')
      return [sql`${value.sql} ${text(direction)}`];
    return orderTerms(query, column, { value, direction });
  });
}

/**
 * What rows are ordered and grouped by in a column. A sort holds it of every row, and cells may have megabytes, so texts count by
 * their start; keys are whole, since they make the order total.
 */
export function orderValue(context: CompileContext, column: ColumnSchema): TypedSql {
  const value = compileColumn(context, column);
  const isWhole = column.primaryKey || !isText(value.type);
  return isWhole ? value : { ...value, sql: context.dialect.functions.start(value.sql) };
}

/** Terms of `order by` for values of a column: by their places in the list of its type, where it has one, and then by themselves. */
export function orderTerms(
  context: CompileContext,
  column: ColumnSchema,
  {
    value,
    place = placeOf(context, column, value),
    direction,
  }: {
    readonly value: TypedSql;
    /** Of `placeOf`, where it is known already. */
    readonly place?: SqlFragment | undefined;
    readonly direction: OrderBy['direction'];
  },
): readonly SqlFragment[] {
  const { functions } = context.dialect;
  if (place === undefined) return functions.orderBy(value.type, value.sql, direction);
  // Texts of one place are equal, but for those behind all and for lists: letters are costly to fold, and few rows need them.
  const isOneText = context.reach.columnTypes.get(column.type)?.separator === undefined;
  const rest = isOneText
    ? sql`case when ${place} = ${text(String(behindAll))} then ${value.sql} end`
    : value.sql;
  return [
    ...functions.orderBy({ kind: 'integer' }, place, direction),
    ...functions.orderBy(value.type, rest, direction),
  ];
}

/** The place of a column's values in the list of its type; undefined where that has none. Empty cells have no place. */
export function placeOf(
  { reach, dialect }: CompileContext,
  column: ColumnSchema,
  value: TypedSql,
): SqlFragment | undefined {
  const type = reach.columnTypes.get(column.type);
  if (type?.valuesInOrder === undefined || !isText(value.type)) return undefined;
  const list = type.valuesInOrder(columnContext(column, type).options) ?? [];
  if (list.length === 0) return undefined;
  const { functions } = dialect;
  const item = type.separator === undefined ? value.sql : functions.before(value.sql, type.separator);
  return functions.placeIn(list, item);
}
