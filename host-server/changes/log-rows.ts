import type { RowKey } from '@trellis/sdk/shared';
import type { Dialect } from '../dialects/dialect.ts';
import { inParts } from '../sql/in-parts.ts';
import type { Statement } from '../sql/unit.ts';
import { joined, sql, text, type SqlFragment } from '../sql/fragment.ts';
import { quoted } from '../query/compile-context.ts';
import type { NewEntry } from './log-entry.ts';
import { storedRowKey } from './stored-row-key.ts';

/**
 * Writes which rows an entry tells of into an index, right after the entry was inserted in the same transaction. The number of the entry
 * is looked up by the database, so that both statements travel together.
 */
export class LogRowKeys {
  readonly #dialect: Dialect;
  readonly #index: 'trellis_log_row' | 'trellis_log_link';
  /** The text for one row, which most writes change. */
  readonly #ofOne: string;

  constructor(dialect: Dialect, index: 'trellis_log_row' | 'trellis_log_link' = 'trellis_log_row') {
    this.#dialect = dialect;
    this.#index = index;
    this.#ofOne = this.#textFor(1);
  }

  /** Statements that index the rows of a table which the last entry of an operation names. */
  of(
    { operationId }: Pick<NewEntry, 'operationId'>,
    { tableId, keys: named }: { readonly tableId: string; readonly keys: Iterable<RowKey> },
  ): readonly Statement[] {
    const keys = [...new Set(Array.from(named, storedRowKey))];
    return inParts(keys, termsAtOnce).map((chunk) => ({
      sql: chunk.length === 1 ? this.#ofOne : this.#textFor(chunk.length),
      bindings: [tableId, ...chunk, operationId],
    }));
  }

  /**
   * An entry of one row and the key of that row, written by one statement that gives the number of the entry. Undefined where the
   * database takes no such statement. The bindings are those of the entry, the table and the key.
   *
   * @param entry inserts the entry and gives its number
   */
  textWith(entry: SqlFragment): string | undefined {
    if (!this.#dialect.statements.nestsWrites) return undefined;
    const { table, columns, seq } = this.#names;
    return sql`with entry as (${entry}) insert into ${table} (${columns}) select ${text('?')}, ${text('?')}, entry.${seq} from entry returning ${seq}`
      .sql;
  }

  get #names() {
    const name = (of: string) => quoted(this.#dialect, of);
    const columns = joined([name('table_id'), name('row_key'), name('seq')], ', ');
    return { table: name(this.#index), columns, seq: name('seq') };
  }

  /** The bindings are the table, the keys and the operation. */
  #textFor(keys: number): string {
    const name = (of: string) => quoted(this.#dialect, of);
    const { table: rowTable, columns, seq } = this.#names;
    const entryTable = name('trellis_log_entry');
    // Looked up once for all keys of the statement.
    const entry = sql`select max(${seq}) as seq from ${entryTable} where ${name('operation_id')} = ${text('?')}`;
    const selects = Array.from({ length: keys }, () => text('select ? as row_key'));
    return sql`insert into ${rowTable} (${columns}) select ${text('?')}, named.row_key, entry.seq from (${joined(selects, ' union all ')}) named cross join (${entry}) entry`
      .sql;
  }
}

/** SQLite takes 500 terms of a compound select. */
const termsAtOnce = 400;
