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

/** A sub-select that makes one value of the linked rows of each row. */
export function compileRelated(context: CompileContext, related: Related): TypedSql {
  const rows = linkedRows(context, related.linkId, related.where);
  const { select } = context.dialect.statements;
  const parts = { from: rows.from, where: rows.where };
  if (related.aggregate === 'count')
    return {
      sql: sql`(${select({ columns: text('count(*)'), ...parts })})`,
      type: { kind: 'bigint', nullable: false },
    };
  if (related.of === undefined)
    throw queryErrors.create('AGGREGATE_WITHOUT_VALUE', { aggregate: related.aggregate });
  const value = compileExpression(rows.context, related.of);
  if (related.aggregate === 'first') {
    const orderBy = rows.context.table.primaryKey.map((column) => columnSql(rows.context, column));
    const first = select({ columns: value.sql, ...parts, orderBy, limit: 1 });
    return { sql: sql`(${first})`, type: { ...value.type, nullable: true } };
  }
  const made = aggregated(context, related.aggregate, value);
  return { sql: sql`(${select({ columns: made.sql, ...parts })})`, type: made.type };
}

function linkedRows(context: CompileContext, linkId: string, also: Predicate | undefined): LinkedRows {
  const { reach, level = 0 } = context;
  const link = context.table.links.find((candidate) => candidate.id === linkId);
  const table = link && reach.snapshot.tables.get(link.toTableId);
  if (link === undefined || table === undefined)
    throw queryErrors.create('LINK_MISSING', { table: context.table.title });
  if (level >= deepest) throw queryErrors.create('EXPRESSION_TOO_LARGE');
  const inner: CompileContext = { ...context, table, alias: `t${level + 1}`, level: level + 1 };
  const { from, where } = joinedBy(link, context, inner);
  const conditions = [where, ...ruleOf(inner)];
  // Which rows are linked is what the hidden column says.
  if (endsOf(link).some((end) => reach.isHidden?.(end) === true)) conditions.push(text('1 = 0'));
  if (also !== undefined) conditions.push(compilePredicate(inner, also));
  return { context: inner, from, where: joined(conditions, ' and ') };
}

function joinedBy(
  link: LinkSchema,
  outer: CompileContext,
  inner: CompileContext,
): { readonly from: SqlFragment; readonly where: SqlFragment } {
  const { through } = link;
  if (through === undefined) {
    const where = sameValues([outer, link.columnIds], [inner, link.toColumnIds]);
    return { from: fromSql(inner), where };
  }
  const table = outer.reach.snapshot.tables.get(through.tableId);
  if (table === undefined) throw queryErrors.create('LINK_MISSING', { table: outer.table.title });
  const middle: CompileContext = { ...inner, table, alias: `j${inner.level ?? 0}` };
  const on = sameValues([middle, through.toColumnIds], [inner, link.toColumnIds]);
  return {
    from: sql`${fromSql(middle)} join ${fromSql(inner)} on ${on}`,
    where: joined(
      [sameValues([outer, link.columnIds], [middle, through.columnIds]), ...ruleOf(middle)],
      ' and ',
    ),
  };
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
