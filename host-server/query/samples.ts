import type { ColumnSchema } from '@trellis/sdk/server';
import type { Predicate } from '@trellis/sdk/shared';
import { bound, joined, sql, text, type SqlFragment } from '../sql/fragment.ts';
import type { Binding } from '../sql/session.ts';
import { columnSql, reading, tableSql, type CompileContext } from './compile-context.ts';
import { compileRule } from './compile-predicate.ts';
import { whereOf } from './select.ts';

/** Values that may be shown to people as examples. */
interface Sample {
  /** The rule that a row must meet for its values to be shown. */
  readonly rule: Predicate | undefined;
  readonly limit: number;
}

/** Cells of a column. With another column given, only rows in which that one is empty. */
export function selectSome(
  asked: CompileContext,
  column: ColumnSchema,
  { emptyIn, rule, limit }: Sample & { readonly emptyIn: ColumnSchema | undefined },
): SqlFragment {
  const context = reading(asked);
  const isEmpty = emptyIn && sql`${columnSql(context, emptyIn)} is null`;
  return context.dialect.statements.select({
    columns: columnSql(context, column),
    from: tableSql(context),
    where: whereOf({ ...context, rule }, isEmpty),
    limit,
  });
}

/** Values of a column that occur in more than one row, at least one of which may be shown. */
export function selectRepeated(
  asked: CompileContext,
  column: ColumnSchema,
  { rule, limit }: Sample,
): SqlFragment {
  const context = reading(asked);
  const { statements } = context.dialect;
  const every: CompileContext = { ...context, alias: 'every_row' };
  const value = columnSql(every, column);
  const repeated = statements.select({
    columns: value,
    from: tableSql(every),
    where: sql`${value} is not null`,
    groupBy: [value],
    having: text('count(*) > 1'),
  });
  const own = columnSql(context, column);
  return statements.select({
    columns: sql`distinct ${own}`,
    from: tableSql(context),
    where: whereOf({ ...context, rule }, sql`${own} in (${repeated})`),
    orderBy: [own],
    limit,
  });
}

export interface ScanPage {
  readonly column: ColumnSchema;
  /** The key of the last row of the page before. */
  readonly after: readonly Binding[] | undefined;
  readonly rule: Predicate | undefined;
  readonly limit: number;
}

/**
 * The next rows of a table in the order of its key, whether or not the caller may see them. Cells: the key, the column, and 1
 * where the row meets the rule.
 */
export function selectScan(asked: CompileContext, { column, after, rule, limit }: ScanPage): SqlFragment {
  const context = reading(asked);
  const keys = context.table.primaryKey.map((key) => columnSql(context, key));
  const isShown =
    rule === undefined ? text('1') : sql`case when ${compileRule(context, rule)} then 1 else 0 end`;
  return context.dialect.statements.select({
    columns: joined([...keys, columnSql(context, column), isShown], ', '),
    from: tableSql(context),
    where: after && isBehind(keys, after),
    orderBy: keys,
    limit,
  });
}

function isBehind(keys: readonly SqlFragment[], last: readonly Binding[]): SqlFragment {
  const ways = keys.map((key, index) => {
    const same = keys.slice(0, index).map((other, at) => sql`${other} = ${bound(last[at] ?? null)}`);
    return sql`(${joined([...same, sql`${key} > ${bound(last[index] ?? null)}`], ' and ')})`;
  });
  return sql`(${joined(ways, ' or ')})`;
}
