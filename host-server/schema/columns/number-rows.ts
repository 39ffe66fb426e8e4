import type { StorageKind } from '@trellis/sdk/shared';
import type { Knex } from 'knex';
import type { Database } from '../../databases/database.ts';
import { updateEach, type WrittenValue } from '../../query/update-each.ts';
import { inParts } from '../../sql/in-parts.ts';
import type { Binding } from '../../sql/session.ts';
import type { Query, RowSet, Unit } from '../../sql/unit.ts';
import { after } from './fill-column.ts';

/** A column that numbers existing rows. */
export interface RowNumbering {
  /** The names of the key's columns in the database; `column` is such a name too. */
  readonly key: readonly string[];
  readonly column: string;
  readonly storage: StorageKind;
  readonly nativeType: string;
  /** The last number that was given, also to deleted rows. */
  readonly given?: number | undefined;
  /** The step from one number to the next; 1 by default. */
  readonly step?: number;
  /** The column that orders the rows for numbering, empty cells last. Without it rows are numbered in key order. */
  readonly by?: string | undefined;
  /** Whether the column may hold numbers that it did not give. If several rows have the same one, all but the first get another. */
  readonly hasOthers?: boolean;
}

/** The table whose rows are numbered. */
export interface NumberedTable {
  readonly database: Database;
  readonly tableName: string;
  readonly numbering: RowNumbering;
  readonly signal: AbortSignal;
  /** Called after each batch that is numbered while people write. An error that it throws ends the numbering. */
  readonly progress?:
    ((numbered: { readonly done: number; readonly total: number }) => Promise<void>) | undefined;
}

const batch = 1000;
const rowsPerUpdate = 50;

/** The greatest foreign number that a column keeps. Later rows are counted on from it, in 32 bits. */
export const greatestKept = 2_000_000_000;

/**
 * Numbers the rows of a table while people add others, in key order unless the numbering says otherwise. `approach` works in
 * short transactions; `finish` numbers the rest while nobody else writes. Both may be run again.
 */
export class RowNumbers {
  readonly #table: NumberedTable;

  constructor(table: NumberedTable) {
    this.#table = table;
  }

  async approach(): Promise<void> {
    const { database, numbering, signal, progress } = this.#table;
    const total = progress === undefined ? 0 : await this.#countRows();
    let done = 0;
    const read = (query: Query) => database.read((unit) => unit.rows(query));
    await this.#number({
      read,
      // An order column may have no index, so its rows are sorted once and not again for each page.
      pages: (rows) =>
        rows.order.length > numbering.key.length ? this.#stream(rows) : this.#pages(rows, read),
      write: async (updates, rows) => {
        await database.write((unit) => unit.batch(updates));
        done += rows;
        await progress?.({ done, total: Math.max(done, total) });
      },
      signal,
    });
  }

  async finish(unit: Unit): Promise<boolean> {
    const { signal } = this.#table;
    const read = (query: Query) => unit.rows(query);
    await this.#number({
      read,
      pages: (rows) => this.#pages(rows, read),
      write: (updates) => unit.batch(updates),
      signal,
    });
    return true;
  }

  /** The number of rows without a number. */
  async #countRows(): Promise<number> {
    const { database, tableName, numbering, signal } = this.#table;
    const { identifiers } = database.dialect;
    const query = database
      .builder(identifiers.knexTable(tableName))
      .whereNull(identifiers.knexName(numbering.column))
      .count({ total: '*' });
    const { rows } = await database.read((unit) => unit.rows(query), { work: 'long', signal });
    return Number(rows[0]?.[0] ?? 0);
  }

  async #number(work: Numbering): Promise<void> {
    const { database, tableName, numbering } = this.#table;
    if (numbering.hasOthers === true) await this.#clearRepeated(work);
    const greatest = database
      .builder(database.dialect.identifiers.knexTable(tableName))
      .max({ greatest: this.#nameOf(numbering.column) });
    const { rows } = await work.read(greatest);
    let given = Math.max(Number(rows[0]?.[0] ?? 0), numbering.given ?? 0);
    // An empty cell in the order column cannot be the start of the next page.
    if (numbering.by !== undefined)
      given = await this.#numberBy([numbering.by, ...numbering.key], given, work);
    await this.#numberBy(numbering.key, given, work);
  }

  /** Clears the number of each row that has the same number as a row with a lower key. */
  async #clearRepeated({ pages, write, signal }: Numbering): Promise<void> {
    const order = [this.#table.numbering.column, ...this.#table.numbering.key];
    for await (const rows of pages({ order, query: () => this.#repeating(order) })) {
      signal.throwIfAborted();
      const emptied = rows.map((row) => ({ key: row.slice(1) as readonly Binding[], value: null }));
      await this.#write(emptied, write);
    }
  }

  /**
   * @param order the names of the columns that order the rows; the last ones are the key
   * @returns the last number that was given
   */
  async #numberBy(
    order: readonly string[],
    given: number,
    { pages, write, signal }: Numbering,
  ): Promise<number> {
    const { numbering } = this.#table;
    const keyAt = order.length - numbering.key.length;
    let next = given;
    for await (const rows of pages({ order, query: () => this.#unnumbered(order) })) {
      signal.throwIfAborted();
      const numbered = rows.map((row) => {
        next += numbering.step ?? 1;
        return { key: row.slice(keyAt) as readonly Binding[], value: next };
      });
      await this.#write(numbered, write);
    }
    return next;
  }

  async #write(rows: readonly WrittenValue[], write: Numbering['write']): Promise<void> {
    const { database, tableName, numbering } = this.#table;
    const written = {
      table: tableName,
      column: numbering.column,
      type: { kind: numbering.storage, native: numbering.nativeType },
      key: numbering.key,
    };
    const updates = inParts(rows, rowsPerUpdate).map((part) => updateEach(database.dialect, written, part));
    if (updates.length > 0) await write(updates, rows.length);
  }

  async *#stream({ query }: OrderedRows): AsyncGenerator<Rows, void, undefined> {
    const { database, signal } = this.#table;
    const all = database.stream(query(), { batchSize: batch, signal, job: true });
    for await (const { rows } of all) yield rows;
  }

  async *#pages(
    { order, query }: OrderedRows,
    read: Numbering['read'],
  ): AsyncGenerator<Rows, void, undefined> {
    let last: Rows[number] | undefined;
    for (;;) {
      const page = query().limit(batch);
      if (last) void page.where(after(order.map(this.#nameOf), last));
      const { rows } = await read(page);
      yield rows;
      last = rows.at(-1);
      if (rows.length < batch) return;
    }
  }

  /** The rows without a number whose cells in the order columns are not empty. */
  #unnumbered(order: readonly string[]) {
    const { database, tableName, numbering } = this.#table;
    const columns = order.map(this.#nameOf);
    const rows = database
      .builder(database.dialect.identifiers.knexTable(tableName))
      .select(columns)
      .whereNull(this.#nameOf(numbering.column))
      .orderBy([...columns]);
    for (const by of columns.slice(0, -numbering.key.length)) void rows.whereNotNull(by);
    return rows;
  }

  /** The rows that have the same number as a row with a lower key. The table is named once, as MySQL requires for a locked table. */
  #repeating(order: readonly string[]) {
    const { database, tableName } = this.#table;
    const columns = order.map(this.#nameOf);
    const [column = '', ...key] = columns;
    const ranked = database
      .builder(database.dialect.identifiers.knexTable(tableName))
      .select(columns)
      .rowNumber('trellis_place', (over) => void over.partitionBy(column).orderBy(key))
      .whereNotNull(column)
      .as('ranked');
    return database
      .builder(ranked)
      .select(columns)
      .where('trellis_place', '>', 1)
      .orderBy([...columns]);
  }

  readonly #nameOf = (name: string) => this.#table.database.dialect.identifiers.knexName(name);
}

type Rows = RowSet['rows'];

/** Rows in the order of these columns; the last ones are the key. */
interface OrderedRows {
  readonly order: readonly string[];
  readonly query: () => Knex.QueryBuilder;
}

/** How one pass reads and writes rows. */
interface Numbering {
  readonly read: (query: Query) => Promise<RowSet>;
  readonly pages: (rows: OrderedRows) => AsyncIterable<Rows>;
  readonly write: (updates: readonly Query[], rows: number) => Promise<unknown>;
  readonly signal: AbortSignal;
}

/** Whether each row has its own number in a column, so that further rows can be counted on from the greatest. */
export async function numbersAll(database: Database, tableName: string, column: string): Promise<boolean> {
  const { identifiers } = database.dialect;
  const name = identifiers.knexName(column);
  const query = database
    .builder(identifiers.knexTable(tableName))
    .count({ total: '*' })
    .countDistinct({ different: name })
    .max({ greatest: name });
  const { rows } = await database.read((unit) => unit.rows(query), { work: 'long' });
  const [total, different, greatest] = (rows[0] ?? []).map(Number);
  return total === different && (greatest ?? 0) <= greatestKept;
}
