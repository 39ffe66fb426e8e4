import type { ColumnSchema, LinkSchema, TableSchema } from '@trellis/sdk/server';
import type { Expression, Predicate } from '@trellis/sdk/shared';
import { joined, sql, text, type SqlFragment } from '../sql/fragment.ts';
import { compileExpression } from './compile-expression.ts';
import { columnSql, tableSql, typeOf, type CompileContext } from './compile-context.ts';
import { compilePredicate, compileRule } from './compile-predicate.ts';
import { aggregated } from './aggregates.ts';
import { queryErrors } from './query-errors.ts';
import type { TypedSql } from './result-types.ts';

type Related = Extract<Expression, { kind: 'related' }>;

/** Links that lead on from linked rows. */
const deepest = 8;

/** The linked rows of one row: what a sub-select over them reads from, and which of them belong to the row. */
interface LinkedRows {
  /** In which columns of the linked table are compiled. */
  readonly context: CompileContext;
  readonly from: SqlFragment;
  /** The table that holds the values by which rows are linked, and these columns: the linked one or the junction table. */
  readonly near: CompileContext;
  readonly nearIds: readonly string[];
  /** What linked rows must meet, whichever row they are linked to. */
  readonly conditions: readonly SqlFragment[];
  /** The same, and that they are linked to the row. */
  readonly where: SqlFragment;
}

/** `exists (...)`: whether the link leads from the row to any row (that meets the condition). */
export function compileSome(
  context: CompileContext,
  { linkId, where }: Extract<Predicate, { kind: 'some' }>,
): SqlFragment {
  const rows = linkedRows(context, linkId, where);
  return sql`exists (${context.dialect.statements.select({ columns: text('1'), from: rows.from, where: rows.where })})`;
}

/** One value made of the linked rows of each row: a sub-select, or a value of the one row that is joined. */
export function compileRelated(context: CompileContext, related: Related): TypedSql {
  const one = related.aggregate === 'first' ? joinedRow(context, related) : undefined;
  if (one !== undefined && related.of !== undefined) return ofJoined(one, related.of);
  const figure = joinedFigure(context, related);
  if (figure !== undefined) return figure;
  const rows = linkedRows(context, related.linkId, related.where);
  const { select } = context.dialect.statements;
  const parts = { from: rows.from, where: rows.where };
  if (related.aggregate === 'count')
    return { sql: sql`(${select({ columns: text('count(*)'), ...parts })})`, type: countType };
  const value = valueOf(rows.context, related);
  if (related.aggregate === 'first') {
    const orderBy = rows.context.table.primaryKey.map((column) => columnSql(rows.context, column));
    const first = select({ columns: value.sql, ...parts, orderBy, limit: 1 });
    return { sql: sql`(${first})`, type: { ...value.type, nullable: true } };
  }
  if (!context.dialect.statements.aggregatesQueries) {
    const values = select({ columns: sql`${value.sql} as v`, ...parts });
    const { sql: figure, type } = aggregated(context, related.aggregate, { ...value, sql: text('linked.v') });
    return { sql: sql`(${select({ columns: figure, from: sql`(${values}) as linked` })})`, type };
  }
  const made = aggregated(context, related.aggregate, value);
  return { sql: sql`(${select({ columns: made.sql, ...parts })})`, type: made.type };
}

const countType = { kind: 'bigint', nullable: false } as const;

/** What an aggregate takes of each linked row. */
function valueOf(context: CompileContext, { aggregate, of }: Related): TypedSql {
  if (of === undefined) throw queryErrors.create('AGGREGATE_WITHOUT_VALUE', { aggregate });
  return compileExpression(context, of);
}

/**
 * A figure over the linked rows of each row, where the statement joins those: the linked rows are grouped by what they are linked by, once
 * for all rows. Undefined where a sub-select for each row does the same for less, or where the values of the link do not group.
 */
function joinedFigure(context: CompileContext, related: Related): TypedSql | undefined {
  const { joins, alias, dialect } = context;
  const { aggregate, linkId, where } = related;
  const { select, aggregatesQueries, endable } = dialect.statements;
  if (aggregate === 'first' || joins === undefined || !aggregatesQueries) return undefined;
  if (!joins.areOfAllRows || joins.isFull) return undefined;
  const { link } = linkOf(context, linkId);
  const [start, ...others] = link.columnIds.map((id) => columnIn(context.table, id));
  if (start === undefined || others.length > 0) return undefined;
  return joins.figure(JSON.stringify([alias, related]), (name) => {
    const { context: inner, from, near, nearIds, conditions } = linkedRows(context, linkId, where);
    const end = columnIn(near.table, nearIds[0] ?? '');
    if (![start, end].every((column) => countsByOne.has(column.storage))) return undefined;
    const made: TypedSql =
      aggregate === 'count'
        ? { sql: text('count(*)'), type: countType }
        : aggregated(context, aggregate, valueOf(inner, related));
    const key = columnSql(near, end);
    const [ownKey] = inner.table.primaryKey;
    const ends = joins.isSearch ? endable(ownKey && columnSql(inner, ownKey)) : undefined;
    const table = select({
      columns: sql`${key} as k, ${made.sql} as v`,
      from,
      where: joined([...(ends === undefined ? [] : [ends]), sql`${key} is not null`, ...conditions], ' and '),
      groupBy: [key],
    });
    const found = text(`${name}.v`);
    // Without linked rows there is no group, which is nothing to add up and a count of none.
    const figure = made.type.nullable
      ? { ...made, sql: found }
      : { ...made, sql: sql`coalesce(${found}, 0)` };
    return {
      made: figure,
      table: sql`(${table}) as ${text(name)}`,
      on: sql`${text(`${name}.k`)} = ${columnSql(context, start)}`,
    };
  });
}

/** Kinds of values that are equal where databases group them together. */
const countsByOne: ReadonlySet<ColumnSchema['storage']> = new Set(['integer', 'bigint']);

/** A value of a joined row; null where there is none, also of what is computed from nothing. */
function ofJoined(one: CompileContext, of: Expression): TypedSql {
  const { sql: value, type } = compileExpression(one, of);
  const nullable = { ...type, nullable: true };
  const isCell = of.kind === 'column' && one.table.columnById.get(of.columnId)?.columnName !== '';
  if (isCell) return { sql: value, type: nullable };
  const [key] = one.table.primaryKey;
  const isThere = key === undefined ? text('1 = 1') : sql`${columnSql(one, key)} is not null`;
  return { sql: sql`case when ${isThere} then ${value} end`, type: nullable };
}

/** The row that a link leads to, where the statement joins rows and the link leads to one at the most. */
function joinedRow(context: CompileContext, { linkId, where }: Related): CompileContext | undefined {
  const { joins, alias } = context;
  if (joins === undefined || joins.isFull) return undefined;
  const { link, table } = linkOf(context, linkId);
  const keys = new Set(table.primaryKey.map(({ id }) => id));
  // Some databases let a foreign key lead to values that several rows have.
  const isToOne =
    link.kind === 'belongsTo' &&
    link.through === undefined &&
    keys.size > 0 &&
    keys.size === link.toColumnIds.length &&
    link.toColumnIds.every((id) => keys.has(id));
  if (!isToOne) return undefined;
  return joins.context(JSON.stringify([alias, linkId, where]), (name) => {
    const inside = innerContext(context, table, name);
    // What is joined in turn would stand behind this condition.
    const on = conditionsOf(link, { ...inside, joins: undefined }, where);
    const same = sameValues([context, link.columnIds], [inside, link.toColumnIds]);
    return { made: inside, table: fromSql(inside), on: joined([same, ...on], ' and ') };
  });
}

function linkOf({ table, reach }: CompileContext, linkId: string) {
  const link = table.links.find((candidate) => candidate.id === linkId);
  const to = link && reach.snapshot.tables.get(link.toTableId);
  if (link === undefined || to === undefined)
    throw queryErrors.create('LINK_MISSING', { table: table.title });
  return { link, table: to };
}

function innerContext(context: CompileContext, table: TableSchema, alias?: string): CompileContext {
  const { level = 0 } = context;
  if (level >= deepest) throw queryErrors.create('EXPRESSION_TOO_LARGE');
  return { ...context, table, alias: alias ?? `t${level + 1}`, level: level + 1 };
}

/** What linked rows must meet, beside having the values of the link. */
function conditionsOf(
  link: LinkSchema,
  inner: CompileContext,
  also: Predicate | undefined,
): readonly SqlFragment[] {
  // Which rows are linked is what the hidden column says.
  const isHidden = endsOf(link).some((end) => inner.reach.isHidden?.(end) === true);
  return [
    ...ruleOf(inner),
    ...(isHidden ? [text('1 = 0')] : []),
    ...(also === undefined ? [] : [compilePredicate(inner, also)]),
  ];
}

function linkedRows(context: CompileContext, linkId: string, also: Predicate | undefined): LinkedRows {
  const { link, table } = linkOf(context, linkId);
  const inner: CompileContext = { ...innerContext(context, table), joins: undefined };
  const { from, near, nearIds, rules } = joinedBy(link, inner);
  const conditions = [...rules, ...conditionsOf(link, inner, also)];
  const isLinked = sameValues([context, link.columnIds], [near, nearIds]);
  const where = joined([isLinked, ...conditions], ' and ');
  return { context: inner, from, near, nearIds, conditions, where };
}

function joinedBy(
  link: LinkSchema,
  inner: CompileContext,
): Pick<LinkedRows, 'from' | 'near' | 'nearIds'> & { readonly rules: readonly SqlFragment[] } {
  const { through } = link;
  if (through === undefined)
    return { from: fromSql(inner), near: inner, nearIds: link.toColumnIds, rules: [] };
  const table = inner.reach.snapshot.tables.get(through.tableId);
  if (table === undefined) throw queryErrors.create('LINK_MISSING', { table: inner.table.title });
  const near: CompileContext = { ...inner, table, alias: `j${inner.level ?? 0}` };
  const on = sameValues([near, through.toColumnIds], [inner, link.toColumnIds]);
  const from = sql`${fromSql(near)} join ${fromSql(inner)} on ${on}`;
  return { from, near, nearIds: through.columnIds, rules: ruleOf(near) };
}

/** What rows of the table must meet to exist for the caller, where there is a rule. */
function ruleOf(context: CompileContext): readonly SqlFragment[] {
  const rule = context.reach.ruleOf?.(context.table.id);
  return rule === undefined ? [] : [compileRule(context, rule)];
}

/** The table with its alias; where a statement may not read the table that it writes, a copy of it. */
function fromSql(context: CompileContext): SqlFragment {
  const { written, table, dialect, alias } = context;
  if (written?.id !== table.id || dialect.statements.readsWrittenTable) return tableSql(context);
  return sql`(select * from ${tableSql({ ...context, alias: undefined })}) as ${text(alias ?? '')}`;
}

/** The columns that a link goes by, those of its junction table among them. */
export function endsOf(link: LinkSchema): readonly Pick<ColumnSchema, 'tableId' | 'id'>[] {
  const { through } = link;
  const inTable = (tableId: string, ids: readonly string[]) => ids.map((id) => ({ tableId, id }));
  return [
    ...inTable(link.tableId, link.columnIds),
    ...inTable(link.toTableId, link.toColumnIds),
    ...(through ? inTable(through.tableId, [...through.columnIds, ...through.toColumnIds]) : []),
  ];
}

type Side = readonly [context: CompileContext, columnIds: readonly string[]];

/** The equality of two lists of columns. A foreign key has columns of one type on both sides, so that an index serves. */
export function sameValues([left, leftIds]: Side, [right, rightIds]: Side): SqlFragment {
  const pairs = leftIds.map((id, index) => {
    const [one, other] = [columnIn(left.table, id), columnIn(right.table, rightIds[index] ?? '')];
    return left.dialect.functions.equals(typeOf(one), columnSql(left, one), columnSql(right, other));
  });
  return joined(pairs, ' and ');
}

/** A column that a link names. */
export function columnIn(table: TableSchema, columnId: string): ColumnSchema {
  const column = table.columnById.get(columnId);
  if (column === undefined || column.columnName === '')
    throw queryErrors.create('LINK_MISSING', { table: table.title });
  return column;
}
