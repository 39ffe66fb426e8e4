import type { Database, Statement } from 'better-sqlite3';
import { DatabaseError } from '../../sql/database-error.ts';
import { writeJsonRows, type JsonCell } from '../../sql/json-rows.ts';
import type { SessionStatement } from '../../sql/session.ts';
import { BoundedMap } from '../units/bounded-map.ts';
import { assertAllowed } from './forbidden-statements.ts';
import { openFile } from './open-file.ts';
import { toDriverSql } from './sqlite-connection.ts';
import { fromRow, plainRows, toSqlite } from './sqlite-values.ts';

interface KnownStatement {
  readonly text: string;
  /** Reads integers as numbers, which is faster and exact up to 2^53. */
  readonly plain: Statement;
  /** Reads integers as bigints. */
  exact: Statement | undefined;
}

const KEPT_STATEMENTS = 300;
/** The most bytes of JSON that are written in the calling thread: some tenths of a millisecond. */
const MOST_JSON = 256 * 1024;

/** The rows are too long to read in the calling thread; a worker can read them. */
export class LongRows extends Error {
  constructor() {
    super('These rows are too long to be read in the thread of the server');
  }
}

/**
 * A query-only connection in the calling thread. A read by key takes a few microseconds, less than a message to a worker; anything
 * longer would block the process and must not run here.
 */
export class PointReader {
  readonly #target: { readonly file: string; readonly readOnly?: boolean };
  readonly #statements = new BoundedMap<string, KnownStatement>(KEPT_STATEMENTS);
  #database: Database | undefined;
  #isClosed = false;

  constructor(target: { readonly file: string; readonly readOnly?: boolean }) {
    this.#target = target;
  }

  /** The first row, if any. Throws `LongRows`, or the driver's error at once, also when the file is locked. */
  get({ sql, bindings }: SessionStatement): unknown[] | undefined {
    const known = this.#prepare(sql);
    const values = bindings.map(toSqlite);
    const row = known.plain.get(...values) as unknown[] | undefined;
    if (row === undefined || isExact(row)) return row;
    return fromRow(this.#exact(known).get(...values) as unknown[]);
  }

  /** The rows as the bytes of a JSON array. Throws like `get`. */
  json({ sql, bindings }: SessionStatement, cells: readonly JsonCell[]): Uint8Array {
    const known = this.#prepare(sql);
    const values = bindings.map(toSqlite);
    const ask = (statement: Statement) => statement.iterate(...values) as IterableIterator<unknown[]>;
    try {
      return writeShort(exactRows(ask(known.plain)), cells);
    } catch (error) {
      if (error instanceof InexactNumber) return writeShort(plainRows(ask(this.#exact(known))), cells);
      throw error;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#database?.close();
    this.#database = undefined;
  }

  #prepare(sql: string): KnownStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    this.#database ??= this.#open();
    assertAllowed(sql, 'reader');
    const text = toDriverSql(sql);
    const statement = { text, plain: this.#database.prepare(text).raw(), exact: undefined };
    this.#statements.set(sql, statement);
    return statement;
  }

  #exact(known: KnownStatement): Statement {
    this.#database ??= this.#open();
    known.exact ??= this.#database.prepare(known.text).raw().safeIntegers();
    return known.exact;
  }

  #open(): Database {
    if (this.#isClosed) throw new DatabaseError('unreachable');
    const { file, readOnly = false } = this.#target;
    const database = openFile({ file, role: 'reader', create: false, readOnly }, 0);
    // `StatementSql.shortRow` calls this for a long row, before the row is read.
    database.function('trellis_long_row', () => {
      throw new LongRows();
    });
    return database;
  }
}

function writeShort(rows: Iterable<unknown[]>, cells: readonly JsonCell[]): Uint8Array {
  try {
    return writeJsonRows(rows, cells, MOST_JSON);
  } catch (error) {
    throw error instanceof DatabaseError && error.kind === 'tooLarge' ? new LongRows() : error;
  }
}

/** A number may be an integer beyond 2^53 that lost its last digits. */
class InexactNumber extends Error {}

function isExact(row: readonly unknown[]): boolean {
  for (let index = 0; index < row.length; index += 1) {
    const cell = row[index];
    if (typeof cell === 'number' && Math.abs(cell) > Number.MAX_SAFE_INTEGER) return false;
  }
  return true;
}

function* exactRows(found: Iterable<unknown[]>): Generator<unknown[], void, undefined> {
  for (const row of found) {
    if (!isExact(row)) throw new InexactNumber();
    yield row;
  }
}
