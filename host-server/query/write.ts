import type { ColumnSchema } from '@trellis/sdk/server';
import { BoundedMap } from '../databases/units/bounded-map.ts';
import { bound, joined, sql, text, type SqlFragment } from '../sql/fragment.ts';
import type { Binding } from '../sql/session.ts';
import type { Query, Statement } from '../sql/unit.ts';
import { columnSql, nameSql, tableSql, typeOf, type CompileContext } from './compile-context.ts';
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

/** Texts of `exchangeRow`: values are bound, so the text is the same for all rows in which the same columns change. */
const knownExchanges = new WeakMap<readonly ColumnSchema[], BoundedMap<string, string>>();
const keptExchanges = 100;

/**
 * Changes a row and gives its cells as they were and, behind them, as they are. Undefined where the database does not give both.
 *
 * @param columns of which cells are given; texts are kept by this array
 */
export function exchangeRow(
  context: CompileContext,
  changes: readonly (readonly [ColumnSchema, Binding])[],
  where: readonly (readonly [ColumnSchema, Binding])[],
  columns: readonly ColumnSchema[],
): Statement | undefined {
  const { dialect } = context;
  if (dialect.statements.exchange === undefined) return undefined;
  const kept = knownExchanges.get(columns) ?? new BoundedMap(keptExchanges);
  knownExchanges.set(columns, kept);
  const name = [...changes, undefined, ...where].map((pair) => pair?.[0].id).join(' ');
  const values = [...changes, ...where, ...where].map(([, value]) => value);
  const known = kept.get(name);
  if (known !== undefined && !values.includes(null, changes.length)) return { sql: known, bindings: values };
  const made = dialect.statements.exchange({
    table: tableSql(context),
    assignments: assignmentsSql(context, changes),
    where: equalities(context, where),
    columns: columns.map((column) => nameSql(dialect, column)),
  });
  const isPlain =
    made.bindings.length === values.length && made.bindings.every((value, at) => value === values[at]);
  if (isPlain) kept.set(name, made.sql);
  return made;
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
    changes.map(([column, value]) => {
      const place = context.dialect.functions.placeholder?.(typeOf(column)) ?? '?';
      return { sql: `${nameSql(context.dialect, column).sql} = ${place}`, bindings: [value] };
    }),
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
