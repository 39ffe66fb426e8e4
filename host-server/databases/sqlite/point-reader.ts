import type { Database, Statement } from 'better-sqlite3';
import type { SessionStatement } from '../../sql/session.ts';
import { BoundedMap } from '../units/bounded-map.ts';
import { assertAllowed } from './forbidden-statements.ts';
import { openFile } from './open-file.ts';
import { toDriverSql } from './sqlite-connection.ts';
import { fromRow, toSqlite } from './sqlite-values.ts';

const KEPT_STATEMENTS = 300;

/**
 * A query-only connection in the calling thread. A read by key takes a few microseconds, less than a message to a worker;
 * anything longer would block the process and does not belong here.
 */
export class PointReader {
  readonly #target: { readonly file: string; readonly readOnly?: boolean };
  readonly #statements = new BoundedMap<string, Statement>(KEPT_STATEMENTS);
  #database: Database | undefined;

  constructor(target: { readonly file: string; readonly readOnly?: boolean }) {
    this.#target = target;
  }

  /** The first row, if there is one. Throws the driver's error at once, also when the file is locked. */
  get({ sql, bindings }: SessionStatement): unknown[] | undefined {
    const row = this.#prepare(sql).get(...bindings.map(toSqlite)) as unknown[] | undefined;
    return row === undefined ? undefined : fromRow(row);
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const { file, readOnly = false } = this.#target;
    this.#database ??= openFile({ file, role: 'reader', create: false, readOnly }, 0);
    assertAllowed(sql, 'reader');
    const statement = this.#database.prepare(toDriverSql(sql)).safeIntegers().raw();
    this.#statements.set(sql, statement);
    return statement;
  }
}
