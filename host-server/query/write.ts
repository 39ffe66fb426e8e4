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

/** Columns with the values that are bound for them. */
type Bound = readonly (readonly [ColumnSchema, Binding])[];

/** Texts of updates of one row, by the columns whose cells are returned. */
const knownUpdates = new WeakMap<readonly ColumnSchema[], BoundedMap<string, string>>();
const keptUpdates = 100;

/**
 * Keeps the text of an update of one row. Values are bound, so one text serves all rows in which the same columns change.
 *
 * @param columns the columns whose cells are returned; texts are kept by this array
 * @param values the bindings of `make`, used when no value of `where` is null
 */
function keptUpdate(
  kind: 'update' | 'exchange',
  { columns, changes, where }: Readonly<{ columns: readonly ColumnSchema[]; changes: Bound; where: Bound }>,
  values: readonly Binding[],
  make: () => Statement,
): Statement {
  if (columns.length === 0 || where.some(([, value]) => value === null)) return make();
  const kept = knownUpdates.get(columns) ?? new BoundedMap(keptUpdates);
  knownUpdates.set(columns, kept);
  let name: string = kind;
  for (const [column] of changes) name += ` ${column.id}`;
  name += ' where';
  for (const [column] of where) name += ` ${column.id}`;
  const known = kept.get(name);
  if (known !== undefined) return { sql: known, bindings: values };
  const made = make();
  const isPlain =
    made.bindings.length === values.length && made.bindings.every((value, at) => value === values[at]);
  if (isPlain) kept.set(name, made.sql);
  return made;
}

/** @param returning the columns of the changed row to return; ignored where the database cannot. Texts are kept by this array. */
export function updateRow(
  context: CompileContext,
  changes: Bound,
  where: Bound,
  returning: readonly ColumnSchema[] = [],
): Statement {
  const values = [...changes, ...where].map(([, value]) => value);
  return keptUpdate('update', { columns: returning, changes, where }, values, () => {
    const names = returning.map((column) => nameSql(context.dialect, column));
    const back = names.length === 0 ? text('') : sql` returning ${joined(names, ', ')}`;
    return sql`update ${tableSql(context)} set ${assignmentsSql(context, changes)} where ${equalities(context, where)}${back}`;
  });
}

/**
 * Changes a row and returns its cells before the change, followed by its cells after it. Undefined where the database cannot
 * return both.
 *
 * @param columns the columns whose cells are returned; texts are kept by this array
 */
export function exchangeRow(
  context: CompileContext,
  changes: Bound,
  where: Bound,
  columns: readonly ColumnSchema[],
): Statement | undefined {
  const { exchange } = context.dialect.statements;
  if (exchange === undefined) return undefined;
  const values = [...changes, ...where, ...where].map(([, value]) => value);
  return keptUpdate('exchange', { columns, changes, where }, values, () =>
    exchange({
      table: tableSql(context),
      assignments: assignmentsSql(context, changes),
      where: equalities(context, where),
      columns: columns.map((column) => nameSql(context.dialect, column)),
    }),
  );
}

/** Sets the same values in the rows whose single key is one of these. */
export function updateIn(
  context: CompileContext,
  changes: Bound,
  key: ColumnSchema,
  values: readonly Binding[],
): Query {
  return sql`update ${tableSql(context)} set ${assignmentsSql(context, changes)} where ${columnSql(context, key)} in (${joined(values.map(bound), ', ')})`;
}

export function deleteIn(context: CompileContext, key: ColumnSchema, values: readonly Binding[]): Query {
  return sql`delete from ${tableSql(context)} where ${columnSql(context, key)} in (${joined(values.map(bound), ', ')})`;
}

function assignmentsSql(context: CompileContext, changes: Bound): SqlFragment {
  return joined(
    changes.map(([column, value]) => {
      const place = context.dialect.functions.placeholder?.(typeOf(column)) ?? '?';
      return { sql: `${nameSql(context.dialect, column).sql} = ${place}`, bindings: [value] };
    }),
    ', ',
  );
}

export function deleteRow(context: CompileContext, where: Bound): Statement {
  return sql`delete from ${tableSql(context)} where ${equalities(context, where)}`;
}

/** Writes to every row that meets the query's predicate. */
export function updateMatching(query: CompiledQuery, changes: Bound): Query {
  return sql`update ${tableSql(query)} set ${assignmentsSql(query, changes)}${whereSql(query)}`;
}

export function deleteMatching(query: CompiledQuery): Query {
  return sql`delete from ${tableSql(query)}${whereSql(query)}`;
}
