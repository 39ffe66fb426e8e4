import type { ColumnSchema } from '@trellis/sdk/server';
import { bound, joined, sql, text, type SqlFragment } from '../sql/fragment.ts';
import type { Binding } from '../sql/session.ts';
import { columnSql, reading, tableSql, type CompileContext } from './compile-context.ts';

/** The rows on one side of a place in the order of a table, whether or not the caller may see them. */
export interface Side {
  /** `from`: the place itself and the rows after it; `before`: the rows before it, the nearest first. */
  readonly side: 'from' | 'before';
  readonly place: Binding;
  readonly limit: number;
}

/** Reads the key and the place of each row, for a table with an order column. */
export function selectSide(asked: CompileContext, order: ColumnSchema, side: Side): SqlFragment {
  const context = reading(asked);
  const isBefore = side.side === 'before';
  return context.dialect.statements.select({
    columns: placed(context, order),
    from: tableSql(context),
    where: sql`${columnSql(context, order)} ${text(isBefore ? '<' : '>=')} ${bound(side.place)}`,
    orderBy: ordered(context, order, isBefore ? 'desc' : 'asc'),
    limit: side.limit,
  });
}

/** The last row in the order of a table. */
export function selectLast(asked: CompileContext, order: ColumnSchema): SqlFragment {
  const context = reading(asked);
  return context.dialect.statements.select({
    columns: placed(context, order),
    from: tableSql(context),
    where: sql`${columnSql(context, order)} is not null`,
    orderBy: ordered(context, order, 'desc'),
    limit: 1,
  });
}

/** The row whose single key is the next one above or below a value. */
export function selectNextKey(
  asked: CompileContext,
  order: ColumnSchema,
  { direction, at }: { readonly direction: 'above' | 'below'; readonly at: Binding },
): SqlFragment {
  const context = reading(asked);
  const key = joined(
    context.table.primaryKey.map((column) => columnSql(context, column)),
    ', ',
  );
  const isAbove = direction === 'above';
  return context.dialect.statements.select({
    columns: placed(context, order),
    from: tableSql(context),
    where: sql`${key} ${text(isAbove ? '>' : '<')} ${bound(at)}`,
    orderBy: [sql`${key} ${text(isAbove ? 'asc' : 'desc')}`],
    limit: 1,
  });
}

function placed(context: CompileContext, order: ColumnSchema): SqlFragment {
  const columns = [...context.table.primaryKey, order].map((column) => columnSql(context, column));
  return joined(columns, ', ');
}

function ordered(
  context: CompileContext,
  order: ColumnSchema,
  direction: 'asc' | 'desc',
): readonly SqlFragment[] {
  return [order, ...context.table.primaryKey].map(
    (column) => sql`${columnSql(context, column)} ${text(direction)}`,
  );
}
