import type { ColumnSchema, LinkSchema } from '@trellis/sdk/server';
import type { Aggregate, Expression } from '@trellis/sdk/shared';
import { joined, sql, text } from '../sql/fragment.ts';
import { aggregated } from './aggregates.ts';
import { compileExpression } from './compile-expression.ts';
import { columnSql, type CompileContext } from './compile-context.ts';
import { compilePredicate } from './compile-predicate.ts';
import { columnIn, meeting, type LinkedRows } from './compile-related.ts';
import { queryErrors } from './query-errors.ts';
import type { TypedSql } from './result-types.ts';

/** A figure over the rows that a link leads to, directly or over further links. */
export interface LinkedFigure {
  /** Identifies the figure within one statement. */
  readonly key: Expression;
  /** The link from a row to the rows of its figure. */
  readonly link: LinkSchema;
  readonly aggregate: Exclude<Aggregate, 'first'>;
  readonly of: Expression | undefined;
  rows(): LinkedRows;
}

const countType = { kind: 'bigint', nullable: false } as const;

/** A figure for each row, from joined groups or from a sub-select. */
export function compileFigure(context: CompileContext, figure: LinkedFigure): TypedSql {
  const known = joinedFigure(context, figure);
  if (known !== undefined) return known;
  const { aggregate } = figure;
  const rows = countedRows(figure);
  const { select, aggregatesQueries } = context.dialect.statements;
  const parts = { from: rows.from, where: rows.where };
  if (aggregate === 'count' || aggregatesQueries) {
    const made = madeOf(rows, figure);
    return { sql: sql`(${select({ columns: made.sql, ...parts })})`, type: made.type };
  }
  const value = valueOf(rows, figure);
  const values = select({ columns: sql`${value.sql} as v`, ...parts });
  const made = aggregated(context, aggregate, { ...value, sql: text('linked.v') });
  return {
    sql: sql`(${select({ columns: made.sql, from: sql`(${values}) as linked` })})`,
    type: made.type,
  };
}

/** The rows that an aggregate looks at: a count of values counts the rows in which the value is not empty. */
function countedRows({ aggregate, of, rows }: LinkedFigure): LinkedRows {
  const all = rows();
  if (aggregate !== 'count' || of === undefined) return all;
  return meeting(all, [compilePredicate(all.context, { kind: 'not', item: { kind: 'isNull', item: of } })]);
}

function madeOf(rows: LinkedRows, figure: LinkedFigure): TypedSql {
  return figure.aggregate === 'count'
    ? { sql: text('count(*)'), type: countType }
    : aggregated(rows.context, figure.aggregate, valueOf(rows, figure));
}

/** The value that an aggregate takes from each row. */
function valueOf({ context }: LinkedRows, { aggregate, of }: LinkedFigure): TypedSql {
  if (of === undefined) throw queryErrors.create('AGGREGATE_WITHOUT_VALUE', { aggregate });
  return compileExpression(context, of);
}

/**
 * A figure over linked rows by a join: the linked rows are grouped by the values of the link, once for all rows. Undefined where
 * a sub-select for each row costs less, or where the values of the link cannot be grouped.
 */
function joinedFigure(context: CompileContext, figure: LinkedFigure): TypedSql | undefined {
  const { joins, alias, dialect } = context;
  const { select, aggregatesQueries, endable } = dialect.statements;
  if (joins === undefined || !aggregatesQueries) return undefined;
  if (!joins.areOfAllRows || joins.isFull) return undefined;
  const [start, ...others] = figure.link.columnIds.map((id) => columnIn(context.table, id));
  if (start === undefined || others.length > 0) return undefined;
  return joins.figure(JSON.stringify([alias, figure.key]), (name) => {
    const rows = countedRows(figure);
    const { context: inner, from, near, nearIds, conditions } = rows;
    const end = columnIn(near.table, nearIds[0] ?? '');
    if (![start, end].every((column) => countsByOne.has(column.storage))) return undefined;
    const made = madeOf(rows, figure);
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
    return {
      // A row without linked rows has no group; its count is 0 and its other figures are null.
      made: made.type.nullable ? { ...made, sql: found } : { ...made, sql: sql`coalesce(${found}, 0)` },
      table: sql`(${table}) as ${text(name)}`,
      on: sql`${text(`${name}.k`)} = ${columnSql(context, start)}`,
    };
  });
}

/** Kinds whose values are equal exactly where `group by` takes them for one group. */
const countsByOne: ReadonlySet<ColumnSchema['storage']> = new Set(['integer', 'bigint']);
