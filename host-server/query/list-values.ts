import type { ColumnSchema } from '@trellis/sdk/server';
import type { Expression } from '@trellis/sdk/shared';
import { longestText } from '../dialects/texts/default.ts';
import { joined, sql, text, type SqlFragment } from '../sql/fragment.ts';
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
import { converted, isNumber, type TypedSql } from './result-types.ts';

type Values = Extract<Expression, { kind: 'values' }>;

/** One value made of all values in a cell of a list column. */
export function compileValues(context: CompileContext, values: Values): TypedSql {
  const { columnId, aggregate, of } = values;
  const list = listOf(context, columnId);
  const rows = () => {
    const led = rowsOfValues(context, list);
    return values.where === undefined ? led : meeting(led, [compilePredicate(led.context, values.where)]);
  };
  return aggregate === 'join'
    ? joinedTexts(context, values, rows())
    : compileFigure(context, { key: values, link: list.link, aggregate, of, rows });
}

/** The number of characters of each value that count when rows are ordered by lists. */
const comparedOfEach = 200;
/**
 * The marks that end the list and end a value. Both sort below every character that people type, so a shorter list comes before a
 * longer one with the same beginning, also where a database pads texts with blanks to compare them.
 */
const [endOfList, endOfValue] = ['\u0001', '\u0002'];

/**
 * The terms that order rows by a list column: the values of the list one after the other, as text. For numbers the first value
 * comes before that. Empty lists come first.
 */
export function orderOfList(context: CompileContext, column: ColumnSchema): readonly TypedSql[] {
  const list = listOf(context, column.id);
  const key: Expression = { kind: 'column', columnId: column.id };
  const rows = rowsOfValues(context, list);
  const { dialect } = context;
  const { functions, statements, texts } = dialect;
  const value = compileExpression(rows.context, key);
  const mark = (sign: string) => functions.value({ kind: 'text' }, sign);
  const words = texts.left(converted(dialect, value, { kind: 'text' }), text(String(comparedOfEach)));
  const each = texts.concat([words, mark(endOfValue)]);
  const taken = statements.aggregatesQueries
    ? { each, orderBy: orderTermsOf(context, rows), from: rows.from, where: rows.where }
    : { ...readFirst(context, rows, each), where: undefined };
  const all = texts.concat([texts.join(taken.each, taken.orderBy), mark(endOfList)]);
  const letters = statements.select({ columns: all, from: taken.from, where: taken.where });
  const made: TypedSql = { sql: sql`(${letters})`, type: { kind: 'text', nullable: false } };
  if (!isNumber(value.type.kind)) return [made];
  const { from, where } = rows;
  const orderBy = orderTermsOf(context, rows);
  const first = statements.select({ columns: value.sql, from, where, orderBy, limit: 1 });
  return [{ sql: sql`(${first})`, type: { ...value.type, nullable: true } }, made];
}

/** The rows whose values are in the cells of a list. */
function rowsOfValues(context: CompileContext, { column, link, of }: ReturnType<typeof listOf>): LinkedRows {
  const linked = linkedRows(inside(context, column), link.id, undefined);
  return ledOver(meeting(linked, hiding(context, column)), of, column.id);
}

function listOf({ table, reach }: CompileContext, columnId: string) {
  const column = table.columnById.get(columnId);
  const values = column && !hasOneValue(reach, column) ? linkedValues(reach, column) : undefined;
  if (column === undefined || values === undefined)
    throw queryErrors.create('COLUMN_MISSING', { table: table.title });
  return { column, ...values };
}

/**
 * Linked rows, each joined with every row whose value is in its cell of a list column, so that a row appears once for each value.
 * Unchanged where the column holds a single value.
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

/** The condition that makes the cells of a hidden column empty. */
function hiding({ reach }: CompileContext, column: ColumnSchema) {
  return reach.isHidden?.(column) === true ? [text('1 = 0')] : [];
}

function orderTermsOf({ dialect }: CompileContext, { order }: LinkedRows): readonly SqlFragment[] {
  return order.flatMap(({ type, sql: by }) => dialect.functions.orderBy(type, by, 'asc'));
}

/**
 * Reads a text of each row and the row's order in a derived table, since not every database lets an aggregate take the result of
 * a sub-select.
 */
function readFirst({ dialect }: CompileContext, rows: LinkedRows, each: SqlFragment) {
  const { functions, statements } = dialect;
  const keys = rows.order.map((key, index) => ({ ...key, name: `k${index}` }));
  const named = keys.map(({ sql: key, name }) => sql`${key} as ${text(name)}`);
  const given = statements.select({
    columns: joined([sql`${each} as v`, ...named], ', '),
    from: rows.from,
    where: rows.where,
  });
  const terms = keys.map(({ type, name }) => functions.orderBy(type, text(`linked.${name}`), 'asc'));
  return {
    each: text('linked.v'),
    keys: keys.map(({ name }) => text(`linked.${name}`)),
    from: sql`(${given}) as linked`,
    orderBy: terms.flat(),
  };
}

/** Joins texts in the order of their rows, with the separator before each. Texts beyond what a cell shows are not read. */
function joinedTexts(context: CompileContext, { of, separator }: Values, rows: LinkedRows): TypedSql {
  const { statements, texts, functions } = context.dialect;
  const words = (at: CompileContext, value: Expression) =>
    converted(context.dialect, compileExpression(at, value), { kind: 'text' });
  const behind = separator === undefined ? [] : [words(context, separator)];
  const each = texts.concat([...behind, words(rows.context, of)]);
  const type = { kind: 'text', nullable: true } as const;
  const most = text(String(longestText));
  if (!statements.namesOuterRows) {
    const order = orderTermsOf(context, rows);
    const all = statements.select({ columns: texts.join(each, order), from: rows.from, where: rows.where });
    return { sql: texts.left(sql`(${all})`, most), type };
  }
  const given = readFirst(context, rows, each);
  const length = functions.length(given.each);
  const before = sql`sum(${length}) over (order by ${joined(given.orderBy, ', ')} rows unbounded preceding) - ${length}`;
  const placed = statements.select({
    columns: joined([given.each, ...given.keys, sql`${before} as place`], ', '),
    from: given.from,
  });
  const all = statements.select({
    columns: texts.join(given.each, given.orderBy),
    from: sql`(${placed}) as linked`,
    where: sql`linked.place < ${most}`,
  });
  return { sql: texts.left(sql`(${all})`, most), type };
}
