import type { StorageKind } from '@trellis/sdk/shared';
import type { Knex } from 'knex';
import type { Database } from '../../databases/database.ts';
import { updateEach, type WrittenValue } from '../../query/update-each.ts';
import { inParts } from '../../sql/in-parts.ts';
import type { Binding } from '../../sql/session.ts';
import type { Query, RowSet, Unit } from '../../sql/unit.ts';
import { after } from './fill-column.ts';

/** A new column that numbers the rows that are there. */
export interface RowNumbering {
  /** Physical names, as the others. */
  readonly key: readonly string[];
  readonly column: string;
  readonly storage: StorageKind;
  readonly nativeType: string;
  /** The last number that was given, also to rows that are gone. */
  readonly given?: number | undefined;
  /** From one number to the next; 1 by default. */
  readonly step?: number;
  /** A column by which rows are numbered, those that are empty in it at the end; by their keys alone without one. */
  readonly by?: string | undefined;
  /** Whether the column may hold numbers that it did not give: of rows with the same one, all but the first get another. */
  readonly hasOthers?: boolean;
}

/** Where rows are numbered. */
export interface NumberedTable {
  readonly database: Database;
  readonly tableName: string;
  readonly numbering: RowNumbering;
  readonly signal: AbortSignal;
  /** Told of each batch that is numbered while people write; what it throws ends the numbering. */
  readonly progress?:
    ((numbered: { readonly done: number; readonly total: number }) => Promise<void>) | undefined;
}

const batch = 1000;
const rowsPerUpdate = 50;

/** The greatest number of other origin that a column keeps: the rows that follow are counted on from it, in 32 bits. */
export const greatestKept = 2_000_000_000;

/**
 * Numbers the rows of a table, in the order of their keys unless the numbering says otherwise, while people go on adding some: `approach` in short transactions, `finish`
 * those that were added meanwhile, while nobody else writes. Either may be run again.
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
      // A column that orders the rows may have no index: they are sorted once, and not for each page again.
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

  /** How many rows have no number yet. */
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
    // What is empty in a column that orders the rows cannot be gone on from.
    if (numbering.by !== undefined)
      given = await this.#numberBy([numbering.by, ...numbering.key], given, work);
    await this.#numberBy(numbering.key, given, work);
  }

  /** Takes the number from each row that has the same as a row with a lower key. */
  async #clearRepeated({ pages, write, signal }: Numbering): Promise<void> {
    const order = [this.#table.numbering.column, ...this.#table.numbering.key];
    for await (const rows of pages({ order, query: () => this.#repeating(order) })) {
      signal.throwIfAborted();
      const emptied = rows.map((row) => ({ key: row.slice(1) as readonly Binding[], value: null }));
      await this.#write(emptied, write);
    }
  }

  /**
   * @param order the names of the columns by which rows are numbered; the last ones are the key
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

  /** The rows without a number that are not empty in the columns by which they are ordered. */
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

  /** The rows whose number a row with a lower key has too. The table is named once, as MySQL asks of one that is locked. */
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

/** Rows in the order of these columns, of which the last ones are the key. */
interface OrderedRows {
  readonly order: readonly string[];
  readonly query: () => Knex.QueryBuilder;
}

/** How the rows of one pass are read and written. */
interface Numbering {
  readonly read: (query: Query) => Promise<RowSet>;
  readonly pages: (rows: OrderedRows) => AsyncIterable<Rows>;
  readonly write: (updates: readonly Query[], rows: number) => Promise<unknown>;
  readonly signal: AbortSignal;
}

/** Whether each row has a number of its own in a column, behind which others can be counted on. */
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
