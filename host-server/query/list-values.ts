import type { ColumnSchema } from '@trellis/sdk/server';
import type { Expression } from '@trellis/sdk/shared';
import { longestText } from '../dialects/texts/default.ts';
import { joined, sql, text } from '../sql/fragment.ts';
import { inside, type CompileContext } from './compile-context.ts';
import { compileExpression } from './compile-expression.ts';
import { compilePredicate } from './compile-predicate.ts';
import {
  conditionsOf,
  innerContext,
  joinedBy,
  linkedRows,
  linkOf,
  meeting,
  orderOfRows,
  sameValues,
  type LinkedRows,
} from './compile-related.ts';
import { hasOneValue, linkedValues } from './computed-columns.ts';
import { compileFigure } from './linked-figures.ts';
import { queryErrors } from './query-errors.ts';
import { converted, type TypedSql } from './result-types.ts';

type Values = Extract<Expression, { kind: 'values' }>;

/** One value made of those that a cell holds in a column of several. */
export function compileValues(context: CompileContext, values: Values): TypedSql {
  const { columnId, aggregate, of } = values;
  const list = listOf(context, columnId);
  const rows = () => {
    const linked = linkedRows(inside(context, list.column), list.link.id, undefined);
    const led = ledOver(meeting(linked, hiding(context, list.column)), list.of, columnId);
    return values.where === undefined ? led : meeting(led, [compilePredicate(led.context, values.where)]);
  };
  return aggregate === 'join'
    ? joinedTexts(context, values, rows())
    : compileFigure(context, { key: values, link: list.link, aggregate, of, rows });
}

function listOf({ table, reach }: CompileContext, columnId: string) {
  const column = table.columnById.get(columnId);
  const values = column && !hasOneValue(reach, column) ? linkedValues(reach, column) : undefined;
  if (column === undefined || values === undefined)
    throw queryErrors.create('COLUMN_MISSING', { table: table.title });
  return { column, ...values };
}

/**
 * Linked rows, each together with every row whose value stands in its cell of a column that holds several: a row comes once for each value.
 * The rows as they are where the column holds one.
 */
export function ledOn(rows: LinkedRows, columnId: string): LinkedRows {
  const column = rows.context.table.columnById.get(columnId);
  return column === undefined ? rows : ledOver(rows, column, columnId);
}

function ledOver(rows: LinkedRows, column: ColumnSchema, columnId: string): LinkedRows {
  const { context } = rows;
  const values = hasOneValue(context.reach, column) ? undefined : linkedValues(context.reach, column);
  if (values === undefined) return { ...rows, context: { ...context, each: { columnId, of: column } } };
  const { link, table } = linkOf(context, values.link.id);
  const inner = innerContext(inside(context, column), table);
  const { near, nearIds, nearTable, beyond, rules } = joinedBy(link, inner);
  const isLinked = sameValues([context, link.columnIds], [near, nearIds]);
  const led = {
    ...rows,
    context: inner,
    from: sql`${rows.from} join ${nearTable} on ${isLinked}${beyond}`,
    order: [...rows.order, ...orderOfRows(inner)],
  };
  const more = [...hiding(context, column), ...rules, ...conditionsOf(link, inner, undefined)];
  return ledOver(meeting(led, more), values.of, columnId);
}

/** The cells of a column are empty for whoever may not read it. */
function hiding({ reach }: CompileContext, column: ColumnSchema) {
  return reach.isHidden?.(column) === true ? [text('1 = 0')] : [];
}

/** Texts one behind another in the order of their rows, each behind the separator; what is not shown at the end of so many is not read. */
function joinedTexts(context: CompileContext, { of, separator }: Values, rows: LinkedRows): TypedSql {
  const { statements, texts, functions } = context.dialect;
  const words = (at: CompileContext, value: Expression) =>
    converted(context.dialect, compileExpression(at, value), { kind: 'text' });
  const behind = separator === undefined ? [] : [words(context, separator)];
  const each = texts.concat([...behind, words(rows.context, of)]);
  const type = { kind: 'text', nullable: true } as const;
  const most = text(String(longestText));
  if (!statements.namesOuterRows) {
    const order = rows.order.flatMap(({ type: of, sql: key }) => functions.orderBy(of, key, 'asc'));
    const all = statements.select({ columns: texts.join(each, order), from: rows.from, where: rows.where });
    return { sql: texts.left(sql`(${all})`, most), type };
  }
  const keys = rows.order.map((key, index) => ({ ...key, name: `k${index}` }));
  const named = keys.map(({ sql: key, name }) => sql`${key} as ${text(name)}`);
  const terms = keys.flatMap(({ type: of, name }) => functions.orderBy(of, text(`linked.${name}`), 'asc'));
  const given = statements.select({
    columns: joined([sql`${each} as v`, ...named], ', '),
    from: rows.from,
    where: rows.where,
  });
  const length = functions.length(text('linked.v'));
  const before = sql`sum(${length}) over (order by ${joined(terms, ', ')} rows unbounded preceding) - ${length}`;
  const placed = statements.select({
    columns: joined(
      [text('linked.v'), ...keys.map(({ name }) => text(`linked.${name}`)), sql`${before} as place`],
      ', ',
    ),
    from: sql`(${given}) as linked`,
  });
  const all = statements.select({
    columns: texts.join(text('linked.v'), terms),
    from: sql`(${placed}) as linked`,
    where: sql`linked.place < ${most}`,
  });
  return { sql: texts.left(sql`(${all})`, most), type };
}
