import type { Statement } from '../sql/unit.ts';
import type { Binding } from '../sql/session.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { bound, joined, sql } from '../sql/fragment.ts';
import type { SqlType } from '../dialects/functions/default.ts';
import { quoted, quotedTable } from './compile-context.ts';

/** A column of a table, by its names in the database. */
export interface WrittenColumn {
  readonly table: string;
  readonly column: string;
  readonly type: SqlType;
  /** The columns of the key. */
  readonly key: readonly string[];
}

/** A row's key, and the new value of its column. */
export interface WrittenValue {
  readonly key: readonly Binding[];
  readonly value: Binding;
}

/** Sets one column of several rows, to a different value in each, in one statement. */
export function updateEach(
  dialect: Dialect,
  { table, column, type, key }: WrittenColumn,
  rows: readonly WrittenValue[],
): Statement {
  const isRow = (row: WrittenValue) =>
    joined(
      key.map((name, index) => sql`${quoted(dialect, name)} = ${bound(row.key[index] ?? null)}`),
      ' and ',
    );
  const cases = rows.map(
    (row) => sql`when ${isRow(row)} then ${dialect.functions.assigned(type, row.value)}`,
  );
  const matches = rows.map((row) => sql`(${isRow(row)})`);
  return sql`update ${quotedTable(dialect, table)} set ${quoted(dialect, column)} = case ${joined(cases, ' ')} end where ${joined(matches, ' or ')}`;
}
