import type { Dialect } from '../dialects/dialect.ts';
import type { Statement } from '../sql/unit.ts';
import { bound, joined, sql } from '../sql/fragment.ts';
import { quoted } from '../query/compile-context.ts';
import type { NewEntry } from './log-entry.ts';
import { storedRowKey } from './stored-row-key.ts';

/**
 * Writes which rows an entry tells of into `trellis_log_row`, right after the entry was inserted in the same transaction. The
 * number of the entry is looked up by the database, so that both statements travel together.
 */
export function logRowKeys(dialect: Dialect, { tableId, operationId, rows }: NewEntry): readonly Statement[] {
  const keys = [...new Set(rows.map(([key]) => storedRowKey(key)))];
  const [rowTable, entryTable, seq, operation] = [
    'trellis_log_row',
    'trellis_log_entry',
    'seq',
    'operation_id',
  ].map((name) => quoted(dialect, name)) as [SqlName, SqlName, SqlName, SqlName];
  const names = joined(
    ['table_id', 'row_key', 'seq'].map((name) => quoted(dialect, name)),
    ', ',
  );
  const number = sql`(select max(${seq}) from ${entryTable} where ${operation} = ${bound(operationId)})`;
  return dialect.limits.chunkRows(3, keys).map((chunk) => {
    const tuples = chunk.map((key) => sql`(${bound(tableId)}, ${bound(key)}, ${number})`);
    return sql`insert into ${rowTable} (${names}) values ${joined(tuples, ', ')}`;
  });
}

type SqlName = ReturnType<typeof quoted>;
