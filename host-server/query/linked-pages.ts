import type { ColumnSchema, LinkSchema, PageRequest } from '@trellis/sdk/server';
import type { Predicate } from '@trellis/sdk/shared';
import type { Binding } from '../sql/session.ts';
import { joined, sql, text, type SqlFragment } from '../sql/fragment.ts';
import { columnSql, reading, tableSql } from './compile-context.ts';
import { compileRule } from './compile-predicate.ts';
import { columnIn, hasValues, sameValues } from './compile-related.ts';
import { orderOf } from './order.ts';
import { nearEnd } from './partitions.ts';
import { shownSql, whereOf, type CompiledQuery } from './select.ts';

export interface LinkedPageOf {
  readonly link: LinkSchema;
  /** The values of the row in the columns where the link starts. */
  readonly values: readonly Binding[];
  /** True for the rows that are not linked to the row, instead of those that are. */
  readonly others: boolean;
  /** The condition on rows of the junction table, where the link has one. */
  readonly across: Predicate | undefined;
  readonly page: PageRequest;
}

/**
 * A page of the rows that are linked to one row, or of all rows that are not, and their number.
 *
 * @param asked a query of the table that the link leads to
 */
export function selectLinkedPage(
  asked: CompiledQuery,
  columns: readonly ColumnSchema[],
  of: LinkedPageOf,
): { readonly page: SqlFragment; readonly count: SqlFragment } {
  const query = reading(asked);
  const { statements } = query.dialect;
  const { from, where } = of.others ? otherRows(query, of) : linkedRows(query, of);
  const matching = { from, where: whereOf(query, where) };
  const shown =
    columns.length === 0
      ? text('1')
      : joined(
          columns.map((column) => shownSql(query, column)),
          ', ',
        );
  return {
    page: statements.select({ columns: shown, ...matching, orderBy: orderOf(query), ...of.page }),
    count: statements.select({ columns: text('count(*) as n'), ...matching }),
  };
}

function linkedRows(query: CompiledQuery, of: LinkedPageOf) {
  const { near, nearIds, from } = nearEnd(query, of.link);
  const isLinked = hasValues(near, nearIds, of.values);
  return {
    from,
    where: of.across === undefined ? isLinked : sql`${isLinked} and ${compileRule(near, of.across)}`,
  };
}

function otherRows(
  query: CompiledQuery,
  of: LinkedPageOf,
): { from: SqlFragment; where: SqlFragment | undefined } {
  const { link, values } = of;
  const from = tableSql(query);
  const { near, nearIds } = nearEnd(query, link);
  // A row with an empty value in the link's columns is linked to nothing.
  if (values.includes(null)) return { from, where: undefined };
  const isLinked = hasValues(near, nearIds, values);
  if (link.through === undefined) {
    const columns = nearIds.map((id) => sql`${columnSql(near, columnIn(near.table, id))} is null`);
    return { from, where: sql`(${joined(columns, ' or ')} or not (${isLinked}))` };
  }
  const isTarget = sameValues([near, link.through.toColumnIds], [query, link.toColumnIds]);
  const isLinking = query.dialect.statements.select({
    columns: text('1'),
    from: tableSql(near),
    where: sql`${isLinked} and ${isTarget}`,
  });
  return { from, where: sql`not exists (${isLinking})` };
}
