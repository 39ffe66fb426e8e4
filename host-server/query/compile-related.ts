import type { ColumnSchema, LinkSchema, TableSchema } from '@trellis/sdk/server';
import type { Expression, Predicate } from '@trellis/sdk/shared';
import { joined, sql, text, type SqlFragment } from '../sql/fragment.ts';
import type { Binding } from '../sql/session.ts';
import { compileExpression } from './compile-expression.ts';
import { columnSql, tableSql, typeOf, type CompileContext } from './compile-context.ts';
import { compilePredicate, compileRule } from './compile-predicate.ts';
import { defaultOrder } from './default-order.ts';
import { compileFigure } from './linked-figures.ts';
import { keysOf } from './key-texts.ts';
import { ledOn } from './list-values.ts';
import { tooLarge } from './expression-limits.ts';
import { queryErrors } from './query-errors.ts';
import type { TypedSql } from './result-types.ts';

type Related = Extract<Expression, { kind: 'related' }>;

/** The most links in a row that an expression may follow. */
export const deepestLinks = 8;

/** The linked rows of one row: the tables that a sub-select reads, and the conditions that pick the rows. */
export interface LinkedRows {
  /** The context for columns of the linked table. */
  readonly context: CompileContext;
  readonly from: SqlFragment;
  /** The table whose columns `nearIds` hold the values of the link: the linked table or the junction table. */
  readonly near: CompileContext;
  readonly nearIds: readonly string[];
  /** The conditions that linked rows meet, whichever row they are linked to. */
  readonly conditions: readonly SqlFragment[];
  /** `conditions`, and the condition that the rows are linked to the row. */
  readonly where: SqlFragment;
  /** The terms by which the rows are ordered. */
  readonly order: readonly Pick<TypedSql, 'sql' | 'type'>[];
}

/** Narrows linked rows to those that meet further conditions. */
export function meeting(rows: LinkedRows, more: readonly SqlFragment[]): LinkedRows {
  return {
    ...rows,
    conditions: [...rows.conditions, ...more],
    where: joined([rows.where, ...more], ' and '),
  };
}

/** `exists (...)`: whether the link leads from the row to any row (that meets the condition). */
export function compileSome(
  context: CompileContext,
  { linkId, where }: Extract<Predicate, { kind: 'some' }>,
): SqlFragment {
  const rows = linkedRows(context, linkId, where);
  return sql`exists (${context.dialect.statements.select({ columns: text('1'), from: rows.from, where: rows.where })})`;
}

/** One value made of the linked rows of each row. */
export function compileRelated(context: CompileContext, related: Related): TypedSql {
  const { aggregate, linkId, of, where } = related;
  if (aggregate === 'first') return compileFirst(context, related);
  return compileFigure(context, {
    key: related,
    link: linkOf(context, linkId).link,
    aggregate,
    of,
    rows() {
      const linked = linkedRows(context, linkId, where);
      return of?.kind === 'column' ? ledOn(linked, of.columnId) : linked;
    },
  });
}

/** The value of the first linked row, from a joined row or from a sub-select. */
function compileFirst(context: CompileContext, related: Related): TypedSql {
  const { aggregate, linkId, of, where } = related;
  if (of === undefined) throw queryErrors.create('AGGREGATE_WITHOUT_VALUE', { aggregate });
  const one = joinedRow(context, related);
  if (one !== undefined) return ofJoined(one, of);
  const rows = linkedRows(context, linkId, where);
  const value = compileExpression(rows.context, of);
  const first = context.dialect.statements.select({
    columns: value.sql,
    from: rows.from,
    where: rows.where,
    orderBy: rows.context.table.primaryKey.map((column) => columnSql(rows.context, column)),
    limit: 1,
  });
  return { sql: sql`(${first})`, type: { ...value.type, nullable: true } };
}

/** A value of a joined row. Null without a row, also for an expression that gives a value for nulls. */
function ofJoined(one: CompileContext, of: Expression): TypedSql {
  const { sql: value, type } = compileExpression(one, of);
  const nullable = { ...type, nullable: true };
  const isCell = of.kind === 'column' && one.table.columnById.get(of.columnId)?.columnName !== '';
  if (isCell) return { sql: value, type: nullable };
  const [key] = one.table.primaryKey;
  const isThere = key === undefined ? text('1 = 1') : sql`${columnSql(one, key)} is not null`;
  return { sql: sql`case when ${isThere} then ${value} end`, type: nullable };
}

/** The joined row that a link leads to; undefined where the statement joins no rows or the link may lead to several. */
function joinedRow(context: CompileContext, { linkId, where }: Related): CompileContext | undefined {
  const { joins, alias } = context;
  if (joins === undefined || joins.isFull) return undefined;
  const { link, table } = linkOf(context, linkId);
  // Some databases let a foreign key refer to columns that are not unique.
  const isToOne = link.kind === 'belongsTo' && link.through === undefined && isKeyOf(table, link.toColumnIds);
  if (!isToOne) return undefined;
  return joins.context(JSON.stringify([alias, linkId, where]), (name) => {
    const inside = innerContext(context, table, name);
    // The condition is compiled without joins: a further join would stand after the condition that uses it.
    const on = conditionsOf(link, { ...inside, joins: undefined }, where);
    const same = sameValues([context, link.columnIds], [inside, link.toColumnIds]);
    return { made: inside, table: fromSql(inside), on: joined([same, ...on], ' and ') };
  });
}

export function linkOf({ table, reach }: CompileContext, linkId: string) {
  const link = table.links.find((candidate) => candidate.id === linkId);
  const to = link && reach.snapshot.tables.get(link.toTableId);
  if (link === undefined || to === undefined)
    throw queryErrors.create('LINK_MISSING', { table: table.title });
  return { link, table: to };
}

export function innerContext(context: CompileContext, table: TableSchema, alias?: string): CompileContext {
  const { level = 0 } = context;
  if (level >= deepestLinks) throw tooLarge();
  return {
    ...context,
    table,
    alias: alias ?? `t${level + 1}`,
    level: level + 1,
    each: undefined,
    known: undefined,
  };
}

/** The conditions on linked rows, besides the values of the link. */
export function conditionsOf(
  link: LinkSchema,
  inner: CompileContext,
  also: Predicate | undefined,
): readonly SqlFragment[] {
  // Showing linked rows would give away the values of a hidden column of the link.
  const isHidden = endsOf(link).some((end) => inner.reach.isHidden?.(end) === true);
  return [
    ...ruleOf(inner),
    ...(isHidden ? [text('1 = 0')] : []),
    ...(also === undefined ? [] : [compilePredicate(inner, also)]),
  ];
}

export function linkedRows(context: CompileContext, linkId: string, also: Predicate | undefined): LinkedRows {
  const { link, table } = linkOf(context, linkId);
  const inner: CompileContext = { ...innerContext(context, table), joins: undefined };
  const { near, nearIds, nearTable, beyond, rules } = joinedBy(link, inner);
  const conditions = [...rules, ...conditionsOf(link, inner, also)];
  const isLinked = sameValues([context, link.columnIds], [near, nearIds]);
  const where = joined([isLinked, ...conditions], ' and ');
  const from = sql`${nearTable}${beyond}`;
  return { context: inner, from, near, nearIds, conditions, where, order: orderOfRows(inner) };
}

/** The terms by which the rows of a table are ordered when nothing sorts them. */
export function orderOfRows(context: CompileContext): LinkedRows['order'] {
  const { table } = context;
  const columns = new Set([defaultOrder(table) ?? [], table.primaryKey].flat());
  return [...columns].map((column) => ({
    sql: columnSql(context, column),
    type: { ...typeOf(column), nullable: !column.required },
  }));
}

/** The tables of a link: the near one and, where that is a junction table, the linked table joined to it. */
export function joinedBy(
  link: LinkSchema,
  inner: CompileContext,
): Pick<LinkedRows, 'near' | 'nearIds'> & {
  readonly nearTable: SqlFragment;
  readonly beyond: SqlFragment;
  readonly rules: readonly SqlFragment[];
} {
  const { through } = link;
  if (through === undefined)
    return {
      near: inner,
      nearIds: link.toColumnIds,
      nearTable: fromSql(inner),
      beyond: text(''),
      rules: [],
    };
  const table = inner.reach.snapshot.tables.get(through.tableId);
  if (table === undefined) throw queryErrors.create('LINK_MISSING', { table: inner.table.title });
  const near: CompileContext = { ...inner, table, alias: `j${inner.level ?? 0}` };
  const on = sameValues([near, through.toColumnIds], [inner, link.toColumnIds]);
  const beyond = sql` join ${fromSql(inner)} on ${on}`;
  return { near, nearIds: through.columnIds, nearTable: fromSql(near), beyond, rules: ruleOf(near) };
}

/** The condition that makes rows of the table visible to the caller, if there is a rule. */
function ruleOf(context: CompileContext): readonly SqlFragment[] {
  const rule = context.reach.ruleOf?.(context.table.id);
  return rule === undefined ? [] : [compileRule(context, rule)];
}

/** The table with its alias, or a derived copy where a statement must not read the table that it writes. */
function fromSql(context: CompileContext): SqlFragment {
  const { written, table, dialect, alias } = context;
  if (written?.id !== table.id || dialect.statements.readsWrittenTable) return tableSql(context);
  return sql`(select * from ${tableSql({ ...context, alias: undefined })}) as ${text(alias ?? '')}`;
}

/** The columns of a link, including those of its junction table. */
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

/**
 * The equality of two lists of columns. Both sides of a foreign key have the same type, so they are compared without conversion
 * and an index is used.
 */
export function sameValues(near: Side, far: Side): SqlFragment {
  const [[left, leftIds], [right, rightIds]] = [near, far];
  const by = keysOf(left);
  const { equalsUndeclared = by.equals } = by;
  const equals = isDeclared(near, far) || isDeclared(far, near) ? by.equals : equalsUndeclared;
  const pairs = leftIds.map((id, index) => {
    const [one, other] = [columnIn(left.table, id), columnIn(right.table, rightIds[index] ?? '')];
    return equals(typeOf(one), columnSql(left, one), columnSql(right, other));
  });
  return joined(pairs, ' and ');
}

/** Whether the database declares a foreign key from the first columns to the others. */
function isDeclared([from, fromIds]: Side, [to, toIds]: Side): boolean {
  return from.table.links.some(
    ({ kind, constraint, toTableId, columnIds, toColumnIds }) =>
      kind === 'belongsTo' &&
      constraint !== undefined &&
      toTableId === to.table.id &&
      areSame(columnIds, fromIds) &&
      areSame(toColumnIds, toIds),
  );
}

function areSame(ids: readonly string[], others: readonly string[]): boolean {
  return ids.length === others.length && ids.every((id, index) => id === others[index]);
}

/** The condition that a row is linked by these values. */
export function hasValues(
  context: CompileContext,
  columnIds: readonly string[],
  values: readonly Binding[],
): SqlFragment {
  const parts = columnIds.map((id, index) => {
    const column = columnIn(context.table, id);
    const value = context.dialect.functions.value(typeOf(column), values[index] ?? null);
    return keysOf(context).equals(typeOf(column), columnSql(context, column), value);
  });
  return joined(parts, ' and ');
}

/** Whether the columns are the whole primary key of a table, in any order, so that their values name one row at the most. */
export function isKeyOf({ primaryKey }: TableSchema, columnIds: readonly string[]): boolean {
  return (
    primaryKey.length > 0 &&
    primaryKey.length === columnIds.length &&
    primaryKey.every(({ id }) => columnIds.includes(id))
  );
}

/** A column that a link names. */
export function columnIn(table: TableSchema, columnId: string): ColumnSchema {
  const column = table.columnById.get(columnId);
  if (column === undefined || column.columnName === '')
    throw queryErrors.create('LINK_MISSING', { table: table.title });
  return column;
}
