import type { ColumnSchema } from '@trellis/sdk/server';
import { bound, joined, sql, text, type SqlFragment } from '../sql/fragment.ts';
import type { Binding } from '../sql/session.ts';
import type { Query, Statement } from '../sql/unit.ts';
import { columnSql, nameSql, tableSql, type CompileContext } from './compile-context.ts';
import { equalities, whereOf, type CompiledQuery } from './select.ts';

/** The condition of a statement that writes. */
function whereSql(query: CompiledQuery): SqlFragment {
  const where = whereOf({ ...query, written: query.table });
  return where === undefined ? text('') : sql` where ${where}`;
}

/** @param returning columns of the changed row to give back; none where the database cannot. */
export function updateRow(
  context: CompileContext,
  changes: readonly (readonly [ColumnSchema, Binding])[],
  where: readonly (readonly [ColumnSchema, Binding])[],
  returning: readonly ColumnSchema[] = [],
): Statement {
  const names = returning.map((column) => nameSql(context.dialect, column));
  const back = names.length === 0 ? text('') : sql` returning ${joined(names, ', ')}`;
  return sql`update ${tableSql(context)} set ${assignmentsSql(context, changes)} where ${equalities(context, where)}${back}`;
}

/** Sets the same values in the rows whose single key is one of these. */
export function updateIn(
  context: CompileContext,
  changes: readonly (readonly [ColumnSchema, Binding])[],
  key: ColumnSchema,
  values: readonly Binding[],
): Query {
  return sql`update ${tableSql(context)} set ${assignmentsSql(context, changes)} where ${columnSql(context, key)} in (${joined(values.map(bound), ', ')})`;
}

export function deleteIn(context: CompileContext, key: ColumnSchema, values: readonly Binding[]): Query {
  return sql`delete from ${tableSql(context)} where ${columnSql(context, key)} in (${joined(values.map(bound), ', ')})`;
}

function assignmentsSql(
  context: CompileContext,
  changes: readonly (readonly [ColumnSchema, Binding])[],
): SqlFragment {
  return joined(
    changes.map(([column, value]) => sql`${nameSql(context.dialect, column)} = ${bound(value)}`),
    ', ',
  );
}

export function deleteRow(
  context: CompileContext,
  where: readonly (readonly [ColumnSchema, Binding])[],
): Statement {
  return sql`delete from ${tableSql(context)} where ${equalities(context, where)}`;
}

/** Writes to every row that meets the query's predicate. */
export function updateMatching(
  query: CompiledQuery,
  changes: readonly (readonly [ColumnSchema, Binding])[],
): Query {
  return sql`update ${tableSql(query)} set ${assignmentsSql(query, changes)}${whereSql(query)}`;
}

export function deleteMatching(query: CompiledQuery): Query {
  return sql`delete from ${tableSql(query)}${whereSql(query)}`;
}
