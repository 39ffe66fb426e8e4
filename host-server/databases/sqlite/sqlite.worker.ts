import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import SqliteFile, { type Database, type Statement } from 'better-sqlite3';
import type { Binding, StatementResult } from '../../sql/session.ts';
import { assertAllowed } from './forbidden-statements.ts';
import { registerFunctions } from './sqlite-functions.ts';
import {
  OPENED,
  type WorkerCall,
  type WorkerFailure,
  type WorkerReply,
  type WorkerRequest,
  type WorkerSettings,
} from './worker-protocol.ts';

const CACHED_STATEMENTS = 200;
/** Files up to this size are checked page by page when they are opened; larger ones only by their header and schema. */
const FULL_CHECK_BYTES = 32 * 1024 * 1024;
const EMPTY: StatementResult = { columns: [], rows: [], changes: 0 };

/** One SQLite connection, run by the messages of its port. */
class SqliteWorker {
  readonly #database: Database;
  readonly #role: WorkerSettings['role'];
  readonly #statements = new Map<string, Statement>();
  #cursor: { readonly rows: IterableIterator<unknown>; readonly columns: string[] } | undefined;

  constructor(settings: WorkerSettings) {
    this.#database = open(settings);
    this.#role = settings.role;
  }

  handle(call: WorkerCall): StatementResult {
    switch (call.kind) {
      case 'statement':
        return this.#execute(call);
      case 'openCursor': {
        assertAllowed(call.sql, this.#role);
        const statement = this.#database.prepare(call.sql).raw().safeIntegers();
        this.#cursor = {
          rows: statement.iterate(...call.bindings.map(toSqlite)),
          columns: statement.columns().map((column) => column.name),
        };
        return EMPTY;
      }
      case 'fetch':
        return this.#fetch(call.count);
      case 'closeCursor':
        this.#cursor?.rows.return?.();
        this.#cursor = undefined;
        return EMPTY;
      case 'close':
        this.#database.close();
        return EMPTY;
    }
  }

  #execute({ sql, bindings, inTransaction }: Extract<WorkerCall, { kind: 'statement' }>): StatementResult {
    // SQLite ends a transaction by itself when the disk is full; what follows must not run outside of it.
    if (inTransaction && !this.#database.inTransaction) throw new TransactionLost();
    const statement = this.#prepare(sql);
    const values = bindings.map(toSqlite);
    if (!statement.reader) {
      const { changes, lastInsertRowid } = statement.run(...values);
      return { columns: [], rows: [], changes, lastId: fromInteger(BigInt(lastInsertRowid)) };
    }
    const rows = (statement.raw().all(...values) as unknown[][]).map(fromRow);
    const columns = statement.columns().map((column) => column.name);
    return { columns, rows, changes: statement.readonly ? rows.length : this.#changes() };
  }

  #changes(): number {
    return Number(this.#prepare('select changes()').raw().all()[0]?.[0 as never]);
  }

  #prepare(sql: string): Statement {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) {
      this.#statements.delete(sql);
      this.#statements.set(sql, cached);
      return cached;
    }
    assertAllowed(sql, this.#role);
    const statement = this.#database.prepare(sql).safeIntegers();
    this.#statements.set(sql, statement);
    if (this.#statements.size > CACHED_STATEMENTS) {
      const [oldest] = this.#statements.keys();
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    return statement;
  }

  #fetch(count: number): StatementResult {
    const cursor = this.#cursor;
    if (cursor === undefined) return EMPTY;
    const rows: unknown[][] = [];
    while (rows.length < count) {
      const next = cursor.rows.next();
      if (next.done === true) break;
      rows.push(fromRow(next.value as unknown[]));
    }
    return { columns: cursor.columns, rows, changes: 0 };
  }
}

class TransactionLost extends Error {
  readonly code = 'SQLITE_FULL';

  constructor() {
    super('The transaction was ended by SQLite');
  }
}

function open({ file, role, create, readOnly }: WorkerSettings): Database {
  const database = new SqliteFile(file, { readonly: readOnly, fileMustExist: !create, timeout: 5000 });
  database.pragma('trusted_schema = off');
  database.pragma('cell_size_check = on');
  registerFunctions(database);
  if (role === 'reader') {
    database.pragma('query_only = on');
    return database;
  }
  if (
    statSync(file).size <= FULL_CHECK_BYTES &&
    database.pragma('quick_check(1)', { simple: true }) !== 'ok'
  ) {
    throw Object.assign(new Error('The quick check found damaged pages'), { code: 'SQLITE_CORRUPT' });
  }
  if (!readOnly) {
    database.pragma('journal_mode = wal');
    database.pragma('synchronous = full');
    database.pragma('journal_size_limit = 67108864');
    database.pragma('foreign_keys = on');
  }
  return database;
}

/** better-sqlite3 binds every number as a double, which a text column would keep as `5.0`. */
function toSqlite(value: Binding): unknown {
  switch (typeof value) {
    case 'boolean':
      return value ? 1n : 0n;
    case 'number':
      return Number.isSafeInteger(value) ? BigInt(value) : value;
    case 'object':
      return value === null ? null : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    default:
      return value;
  }
}

function fromRow(row: unknown[]): unknown[] {
  for (let index = 0; index < row.length; index += 1) {
    const value = row[index];
    if (typeof value === 'bigint') row[index] = fromInteger(value);
  }
  return row;
}

function fromInteger(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

function toFailure(error: unknown): WorkerFailure {
  if (!(error instanceof Error)) return { name: 'Error', code: undefined, message: String(error) };
  return { name: error.name, code: (error as NodeJS.ErrnoException).code, message: error.message };
}

const port = parentPort;
if (port === null) throw new Error('This file is started as a worker');

let worker: SqliteWorker | undefined;
try {
  worker = new SqliteWorker(workerData as WorkerSettings);
  port.postMessage([{ id: OPENED, result: EMPTY }] satisfies WorkerReply[]);
} catch (error) {
  port.postMessage([{ id: OPENED, failure: toFailure(error) }] satisfies WorkerReply[]);
}

port.on('message', (requests: WorkerRequest[]) => {
  const replies = requests.map(({ id, call }): WorkerReply => {
    try {
      return { id, result: worker?.handle(call) ?? EMPTY };
    } catch (error) {
      return { id, failure: toFailure(error) };
    }
  });
  port.postMessage(replies);
  if (requests.some(({ call }) => call.kind === 'close')) port.close();
});
