import type { ColumnSchema } from '@trellis/sdk/server';
import type { Statement } from '../sql/unit.ts';
import type { Binding } from '../sql/session.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { bound, joined, sql, text, type SqlFragment } from '../sql/fragment.ts';
import { quoted, type CompileContext } from './compile-predicate.ts';

/** Inserts rows of values, in the order of `columns`, into a table of ours. */
export function insertInto(
  dialect: Dialect,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Binding[])[],
): Statement {
  const names = columns.map((column) => quoted(dialect, column));
  return sql`insert into ${quoted(dialect, table)} (${joined(names, ', ')}) values ${tuples(rows, columns.length)}`;
}

/** `(?, ?), (?, ?)`: bulk writes come here with many thousand values, so the text is not put together from single ones. */
function tuples(rows: readonly (readonly Binding[])[], columns: number): SqlFragment {
  const tuple = `(${Array<string>(columns).fill('?').join(', ')})`;
  const bindings: Binding[] = [];
  // `flat` takes several times as long, which shows in a bulk insert.
  for (const row of rows) for (const value of row) bindings.push(value);
  return { sql: Array<string>(rows.length).fill(tuple).join(', '), bindings };
}

/** Inserts rows into a user's table; gives `returning` back where the database can. */
export function insertRows(
  { table, dialect }: CompileContext,
  columns: readonly ColumnSchema[],
  rows: readonly (readonly Binding[])[],
  returning: readonly ColumnSchema[],
): Statement {
  const names = (of: readonly ColumnSchema[]) =>
    joined(
      of.map((column) => quoted(dialect, column.columnName)),
      ', ',
    );
  const into = sql`insert into ${quoted(dialect, table.tableName)}`;
  const back = returning.length > 0 && canReturn(dialect) ? sql` returning ${names(returning)}` : text('');
  if (columns.length === 0) {
    return sql`${into}${text(dialect.name === 'mysql' ? ' () values ()' : ' default values')}${back}`;
  }
  return sql`${into} (${names(columns)}) values ${tuples(rows, columns.length)}${back}`;
}

/** Whether an insert can give back what it stored. MySQL cannot, and MariaDB answers as MySQL. */
export function canReturn(dialect: Dialect): boolean {
  return dialect.name !== 'mysql';
}

/**
 * Moves the counter of a key to a number that a row was given by hand, if it stands before that. Undefined where the database
 * does so by itself.
 */
export function passKeyCounter(
  { table, dialect }: CompileContext,
  key: ColumnSchema,
  number: string,
): Statement | undefined {
  if (dialect.name !== 'postgres') return undefined;
  const counter = sql`pg_get_serial_sequence(${bound(dialect.identifiers.quote(table.tableName))}, ${bound(key.columnName)})::regclass`;
  return sql`select setval(counter, ${bound(number)}::bigint) from (select ${counter} as counter) as of_key where counter is not null and coalesce(pg_sequence_last_value(counter), 0) < ${bound(number)}::bigint`;
}

/** How far apart the keys are that MySQL counts for the rows of one statement: more than 1 where several servers write. */
export const keyStep: Statement = text('select @@session.auto_increment_increment');
