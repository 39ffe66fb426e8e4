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
  const name = (of: string) => quoted(dialect, of);
  const [rowTable, entryTable, rowKey] = [
    name('trellis_log_row'),
    name('trellis_log_entry'),
    name('row_key'),
  ];
  const columns = joined([name('table_id'), rowKey, name('seq')], ', ');
  // Looked up once for all keys of the statement.
  const entry = sql`select max(${name('seq')}) as seq from ${entryTable} where ${name('operation_id')} = ${bound(operationId)}`;
  return chunksOf(keys).map((chunk) => {
    const selects = chunk.map((key) => sql`select ${bound(key)} as row_key`);
    return sql`insert into ${rowTable} (${columns}) select ${bound(tableId)}, named.row_key, entry.seq from (${joined(selects, ' union all ')}) named cross join (${entry}) entry`;
  });
}

/** SQLite takes 500 terms of a compound select. */
const termsAtOnce = 400;

function chunksOf(keys: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(keys.length / termsAtOnce) }, (_, index) =>
    keys.slice(index * termsAtOnce, (index + 1) * termsAtOnce),
  );
}
