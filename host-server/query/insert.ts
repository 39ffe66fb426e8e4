import type { ColumnSchema } from '@trellis/sdk/server';
import type { Statement } from '../sql/unit.ts';
import type { Binding } from '../sql/session.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Tuples } from '../dialects/statements/default.ts';
import { joined, sql } from '../sql/fragment.ts';
import { nameSql, quoted, quotedTable, typeOf, type CompileContext } from './compile-context.ts';

/** Inserts rows of values, in the order of `columns`, into one of Trellis's own tables. */
export function insertInto(
  dialect: Dialect,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Binding[])[],
): Statement {
  const names = columns.map((column) => quoted(dialect, column));
  return sql`insert into ${quotedTable(dialect, table)} (${joined(names, ', ')}) values ${tuples(rows, plainPlaces(columns.length))}`;
}

/** Inserts one row into one of Trellis's own tables and returns the key that the database counted as `lastId`. */
export function insertReturning(
  dialect: Dialect,
  table: string,
  row: {
    readonly columns: readonly string[];
    readonly cells: readonly Binding[];
    readonly returning: string;
  },
): Statement {
  return dialect.statements.insert({
    table: quotedTable(dialect, table),
    columns: row.columns.map((column) => quoted(dialect, column)),
    tuples: tuples([row.cells], plainPlaces(row.columns.length)),
    returning: [quoted(dialect, row.returning)],
  });
}

const plainPlaces = (count: number): readonly string[] => Array<string>(count).fill('?');

/** `(?, ?), (?, ?)`. A bulk write has many thousand values, so the text is not joined from fragments of single values. */
function tuples(rows: readonly (readonly Binding[])[], places: readonly string[]): Tuples {
  const tuple = `(${places.join(', ')})`;
  // `flat` takes several times as long, which shows in a bulk insert, and a growing list takes twice the memory.
  const bindings: Binding[] = [];
  bindings.length = rows.length * places.length;
  let next = 0;
  for (const row of rows) for (const value of row) bindings[next++] = value;
  return { sql: Array<string>(rows.length).fill(tuple).join(', '), bindings, places, count: rows.length };
}

/** Inserts rows into a user's table, and returns the columns of `returning` where the database can. */
export function insertRows(
  { table, dialect }: CompileContext,
  columns: readonly ColumnSchema[],
  rows: readonly (readonly Binding[])[],
  returning: readonly ColumnSchema[],
): Statement {
  const names = (of: readonly ColumnSchema[]) => of.map((column) => nameSql(dialect, column));
  const { statements, functions } = dialect;
  const types = columns.map(typeOf);
  const parts = {
    table: quotedTable(dialect, table.tableName),
    columns: names(columns),
    returning: names(returning),
  };
  const isMany = rows.length > 1 && columns.length > 0;
  const places = () => types.map((type) => functions.placeholder?.(type) ?? '?');
  return (
    (isMany && statements.insertMany?.({ ...parts, types, rows })) ||
    statements.insert({ ...parts, tuples: tuples(rows, places()) })
  );
}
