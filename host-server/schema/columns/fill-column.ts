import { parseRowKey, type RowKey } from '@trellis/sdk/shared';
import type { Knex } from 'knex';
import type { Database } from '../../databases/database.ts';
import type { Query, RowSet, Unit } from '../../sql/unit.ts';
import { inParts } from '../../sql/in-parts.ts';
import type { Binding } from '../../sql/session.ts';
import { updateEach, type WrittenColumn } from '../../query/update-each.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { Conversion, ConvertValue } from './convert-value.ts';

/** Finds the rows of one table that were written since a mark, in a log of all writes. */
export interface WrittenRows {
  /** A mark of this moment. Writes that are not committed yet count as written after it. */
  mark(): Promise<number>;
  /** The keys of the rows written since a mark; undefined when there are too many, or when they have no usable key. */
  since(unit: Unit, mark: number): Promise<readonly RowKey[] | undefined>;
}

/** A column that is filled from another one of its table. */
export interface FilledColumn {
  readonly database: Database;
  readonly tableName: string;
  readonly conversion: Conversion;
  readonly convert: ConvertValue;
  /** Undefined when other programs write to the table, or when its rows cannot be named by their key. */
  readonly written: WrittenRows | undefined;
  /**
   * Whether the new type may be asked about values in the last transaction. False when that transaction is in the server's own
   * database, to which the type may want to write.
   */
  readonly asksInside: boolean;
}

export interface FillOptions {
  readonly signal: AbortSignal;
  /** Called after each batch. An error that it throws ends the filling. */
  readonly progress: (filled: { readonly done: number; readonly total: number }) => Promise<void>;
}

type Rows = RowSet['rows'];

const batch = 1000;
/** Larger updates are slower again: each row is compared with all cases of the statement. */
const rowsPerUpdate = 50;
/** Composite keys in one statement: SQLite accepts conditions of a thousand terms. */
const keysAtOnce = 200;
/** The number of rows that may be left to the last transaction, during which nobody else can write. */
const fewRows = 1000;
/** Rows that are written during one pass are filled by the next pass. */
const mostPasses = 8;

/**
 * Fills a new column from an old one while people go on writing to the table. `approach` fills rows in short transactions until
 * few are left; `finish` fills the rest in the transaction that replaces the old column by the new one.
 */
export class ColumnFilling {
  readonly #column: FilledColumn;
  readonly #options: FillOptions;
  readonly #cells: FilledCells;
  /** Rows written after this mark may have to be filled again; undefined before the first pass. */
  #mark: number | undefined;

  constructor(column: FilledColumn, options: FillOptions) {
    this.#column = column;
    this.#options = options;
    this.#cells = new FilledCells(column);
  }

  /**
   * May be run again at any point.
   *
   * @throws TrellisError 409 when people write faster than values are converted.
   */
  async approach(): Promise<void> {
    const { written, database } = this.#column;
    for (let pass = 0; pass < mostPasses; pass += 1) {
      const mark = this.#mark;
      const keys = mark === undefined ? undefined : await database.read((unit) => this.#since(unit, mark));
      if (keys !== undefined && keys.length <= fewRows) return this.#prepare(keys);
      // The mark is set before the pass, so that the next pass fills rows written during this one.
      const next = await written?.mark();
      const filled = keys === undefined ? await this.#fillAll() : await this.#fillNamed(keys);
      this.#mark = next;
      if (written === undefined && filled <= fewRows) return;
    }
    if (written !== undefined) throw schemaErrors.create('TABLE_TOO_BUSY');
  }

  /**
   * Fills the rest while nobody else writes to the table. Returns false without changes when more than a few rows are left, or
   * when the new type was not asked about one of the values yet.
   */
  async finish(unit: Unit): Promise<boolean> {
    const { signal } = this.#options;
    if (this.#column.written === undefined) {
      for await (const rows of this.#cells.pages(unit, signal)) {
        if (this.#column.asksInside) await this.#cells.prepare(rows);
        if (!(await this.#cells.fill(rows, unit))) return false;
      }
      return true;
    }
    const keys = this.#mark === undefined ? undefined : await this.#since(unit, this.#mark);
    if (keys === undefined || keys.length > fewRows) return false;
    for (const rows of await this.#cells.named(unit, keys))
      if (!(await this.#cells.fill(rows, unit))) return false;
    return true;
  }

  /** Asks the new type about the values of rows that are left to the last transaction. */
  async #prepare(keys: readonly RowKey[]): Promise<void> {
    const found = await this.#column.database.read((unit) => this.#cells.named(unit, keys));
    for (const rows of found) await this.#cells.prepare(rows);
  }

  async #since(unit: Unit, mark: number): Promise<readonly RowKey[] | undefined> {
    return this.#column.written?.since(unit, mark);
  }

  /** Goes through the whole table; returns the number of rows that had to be filled. */
  async #fillAll(): Promise<number> {
    const { database, tableName } = this.#column;
    const { signal, progress } = this.#options;
    const table = database.builder(database.dialect.identifiers.knexTable(tableName));
    const counted = await database.read(
      (unit) => unit.first<{ total: number | string }>(table.count({ total: '*' })),
      { work: 'long', signal },
    );
    const total = Number(counted?.total ?? 0);
    let done = 0;
    let filled = 0;
    const all = database.stream(this.#cells.query(), { batchSize: batch, signal, job: true });
    for await (const { rows } of all) {
      filled += await this.#write(rows);
      done += rows.length;
      await progress({ done, total: Math.max(done, total) });
    }
    return filled;
  }

  async #fillNamed(keys: readonly RowKey[]): Promise<number> {
    const { database } = this.#column;
    let filled = 0;
    for (const chunk of inParts(keys, batch)) {
      this.#options.signal.throwIfAborted();
      const found = await database.read((unit) => this.#cells.named(unit, chunk));
      for (const rows of found) filled += await this.#write(rows);
    }
    return filled;
  }

  async #write(rows: Rows): Promise<number> {
    await this.#cells.prepare(rows);
    const wrong = this.#cells.wrong(rows);
    if (wrong.length > 0) await this.#column.database.write((unit) => unit.batch(this.#cells.updates(wrong)));
    return wrong.length;
  }
}

/** Reads and fills the rows of a table. The cells of a row are its key, the old value and the new one. */
class FilledCells {
  readonly #column: FilledColumn;
  readonly #converter: ReturnType<ConvertValue>;
  readonly #written: WrittenColumn;
  readonly #key: readonly string[];

  constructor(column: FilledColumn) {
    const { database, tableName, conversion, convert } = column;
    this.#column = column;
    this.#converter = convert(conversion, database);
    this.#key = conversion.key.map((name) => database.dialect.identifiers.knexName(name));
    this.#written = {
      table: tableName,
      column: conversion.to.name,
      type: { kind: conversion.to.storage, native: conversion.to.nativeType },
      key: conversion.key,
    };
  }

  query(): Knex.QueryBuilder {
    const { database, tableName, conversion } = this.#column;
    const { identifiers } = database.dialect;
    const ends = [conversion.from.name, conversion.to.name].map((name) => identifiers.knexName(name));
    return database.builder(identifiers.knexTable(tableName)).select([...this.#key, ...ends]);
  }

  /** All rows, in pages. A stream might have to wait for somebody's slow download, and so would all writers. */
  async *pages(unit: Unit, signal: AbortSignal): AsyncGenerator<Rows, void, undefined> {
    let last: readonly unknown[] | undefined;
    for (;;) {
      signal.throwIfAborted();
      const page = this.query()
        .orderBy([...this.#key])
        .limit(batch);
      for (const name of this.#key) void page.whereNotNull(name);
      if (last) void page.where(after(this.#key, last));
      const { rows } = await unit.rows(page);
      yield rows;
      last = rows.at(-1);
      if (rows.length < batch) return;
    }
  }

  /** The rows with these keys, which consist of the texts of their cells. Deleted rows are left out. */
  async named(unit: Unit, keys: readonly RowKey[]): Promise<readonly Rows[]> {
    const found: Rows[] = [];
    const [name = '', ...others] = this.#key;
    const parsed = keys.flatMap((key) => {
      const cells = parseRowKey(key, this.#key.length);
      return cells === undefined ? [] : [cells];
    });
    const isOfOne = others.length === 0;
    const { limits } = this.#column.database.dialect;
    for (const chunk of isOfOne ? limits.chunkRows(1, parsed) : inParts(parsed, keysAtOnce)) {
      const { rows } = await unit.rows(
        isOfOne ? this.query().whereIn(name, chunk.flat()) : this.query().where(oneOf(this.#key, chunk)),
      );
      found.push(rows);
    }
    return found;
  }

  /** The rows whose new value is not the converted old value. */
  wrong(rows: Rows): Rows {
    const at = this.#key.length;
    const open =
      this.#column.conversion.isForEmpty === true ? rows.filter((row) => row[at + 1] === null) : rows;
    return open.filter((row) => !this.#converter.isConverted(row[at], row[at + 1]));
  }

  /** Returns false without changes when the new type was not asked about one of the values. */
  async fill(rows: Rows, unit: Unit): Promise<boolean> {
    if (!this.#converter.isPrepared(this.#olds(rows))) return false;
    const wrong = this.wrong(rows);
    if (wrong.length > 0) await unit.batch(this.updates(wrong));
    return true;
  }

  prepare(rows: Rows): Promise<void> {
    return this.#converter.prepare(this.#olds(rows), { isTrial: false });
  }

  #olds(rows: Rows): readonly unknown[] {
    return rows.map((row) => row[this.#key.length]);
  }

  updates(rows: Rows): readonly Query[] {
    const at = this.#key.length;
    const values = rows.map((row) => ({
      key: row.slice(0, at) as readonly Binding[],
      value: this.#converter.convert(row[at]).value,
    }));
    const { dialect } = this.#column.database;
    return inParts(values, rowsPerUpdate).map((part) => updateEach(dialect, this.#written, part));
  }
}

/** The condition that a row has one of several composite keys. */
function oneOf(key: readonly string[], rows: readonly (readonly string[])[]) {
  return (builder: Knex.QueryBuilder): void => {
    for (const cells of rows)
      void builder.orWhere(Object.fromEntries(key.map((name, at) => [name, cells[at] ?? ''])));
  };
}

/** The condition that a row's key comes after that of `last`. */
export function after(key: readonly string[], last: readonly unknown[]) {
  return (builder: Knex.QueryBuilder): void => {
    for (const [index, name] of key.entries()) {
      const same = Object.fromEntries(key.slice(0, index).map((other, at) => [other, last[at] as Binding]));
      void builder.orWhere((also) => void also.where(same).where(name, '>', last[index] as string));
    }
  };
}
