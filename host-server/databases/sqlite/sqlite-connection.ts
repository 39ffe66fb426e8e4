import { Worker } from 'node:worker_threads';
import { DatabaseError } from '../../sql/database-error.ts';
import { placeBindings } from '../compile-query.ts';
import type { Binding, Session, StatementResult } from '../../sql/session.ts';
import { BoundedMap } from '../units/bounded-map.ts';
import { sqliteWorkerEntry } from './worker-entry.ts';
import {
  OPENED,
  type WorkerCall,
  type WorkerReply,
  type WorkerRequest,
  type WorkerResult,
  type WorkerSettings,
} from './worker-protocol.ts';

/** Prepared statements that the worker keeps for this connection. */
const KEPT_STATEMENTS = 200;

interface Waiting {
  readonly resolve: (result: StatementResult) => void;
  readonly reject: (error: Error) => void;
  /** Takes the names of the columns from the answer that has them, and gives them to the others. */
  readonly statement?: NumberedStatement;
}

/** A statement that the worker knows by its number. */
interface NumberedStatement {
  readonly number: number;
  columns: readonly string[];
}

/** A SQLite connection that lives in a worker thread. Calls of one tick travel in one message. */
export class SqliteConnection implements Session {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #statements = new BoundedMap<string, NumberedStatement>(KEPT_STATEMENTS);
  #outbox: WorkerRequest[] = [];
  #lastStatement = 0;
  #lastId = OPENED;
  #ended = false;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (replies: WorkerReply[]) => this.#receive(replies));
    worker.on('error', (error) => this.#end(error));
    worker.on('exit', () => this.#end(new Error('The worker has ended')));
  }

  /** Rejects with the driver's error when the file is missing, damaged or not a database. */
  static async open(settings: WorkerSettings): Promise<SqliteConnection> {
    const worker = new Worker(await sqliteWorkerEntry(), {
      workerData: settings,
      name: `sqlite-${settings.role}`,
    });
    const connection = new SqliteConnection(worker);
    try {
      await new Promise<StatementResult>((resolve, reject) => {
        connection.#waiting.set(OPENED, { resolve, reject });
      });
    } catch (error) {
      await worker.terminate();
      throw error;
    }
    return connection;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Whether a call is on its way; a connection at rest can be given to somebody else. */
  get busy(): boolean {
    return this.#waiting.size > 0;
  }

  execute(sql: string, bindings: readonly Binding[] = []): Promise<StatementResult> {
    return this.#statement(sql, bindings, false);
  }

  /** Runs a statement only if the transaction that it belongs to is still open. */
  executeInTransaction(sql: string, bindings: readonly Binding[] = []): Promise<StatementResult> {
    return this.#statement(sql, bindings, true);
  }

  async openCursor(sql: string, bindings: readonly Binding[]): Promise<void> {
    await this.#call({ kind: 'openCursor', sql: toDriverSql(sql, bindings), bindings });
  }

  /** The next `count` rows; fewer mean that the cursor is at its end. */
  fetch(count: number): Promise<StatementResult> {
    return this.#call({ kind: 'fetch', count });
  }

  async closeCursor(): Promise<void> {
    await this.#call({ kind: 'closeCursor' });
  }

  async close(): Promise<void> {
    if (this.#ended) return;
    await this.#call({ kind: 'close' });
    await this.#worker.terminate();
  }

  /**
   * Gives the connection up at once. SQLite itself cannot be interrupted from another thread: the thread ends when its
   * statement next returns, and `ended` resolves then.
   */
  abandon(): Promise<void> {
    this.#end(new DatabaseError('cancelled'));
    return this.#worker.terminate().then(() => {});
  }

  #statement(sql: string, bindings: readonly Binding[], inTransaction: boolean): Promise<StatementResult> {
    const known = this.#statements.get(sql);
    if (known !== undefined) {
      return this.#call({ kind: 'statement', statement: known.number, bindings, inTransaction }, known);
    }
    this.#lastStatement += 1;
    const statement: NumberedStatement = { number: this.#lastStatement, columns: [] };
    const dropped = this.#statements.set(sql, statement);
    if (dropped !== undefined) this.#tell({ kind: 'forget', statement: dropped.number });
    return this.#call(
      {
        kind: 'statement',
        statement: statement.number,
        sql: toDriverSql(sql, bindings),
        bindings,
        inTransaction,
      },
      statement,
    );
  }

  #call(call: WorkerCall, statement?: NumberedStatement): Promise<StatementResult> {
    if (this.#ended) return Promise.reject(new DatabaseError('unreachable'));
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(this.#tell(call), { resolve, reject, statement });
    });
  }

  /** Puts a call into the next message and answers its number; calls of one tick travel together. */
  #tell(call: WorkerCall): number {
    this.#lastId += 1;
    this.#outbox.push({ id: this.#lastId, call });
    if (this.#outbox.length === 1) queueMicrotask(() => this.#send());
    return this.#lastId;
  }

  #send(): void {
    const batch = this.#outbox;
    this.#outbox = [];
    if (!this.#ended) this.#worker.postMessage(batch);
  }

  #receive(replies: WorkerReply[]): void {
    for (const { id, result, failure } of replies) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (failure !== undefined) waiting?.reject(revive(failure));
      else if (result !== undefined) waiting?.resolve(named(result, waiting.statement));
    }
    // An idle connection does not keep the process alive.
    if (this.#waiting.size === 0) this.#worker.unref();
  }

  #end(cause: Error): void {
    this.#ended = true;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    const error = cause instanceof DatabaseError ? cause : new DatabaseError('unreachable', { cause });
    for (const { reject } of waiting) reject(error);
  }
}

function named(result: WorkerResult, statement: NumberedStatement | undefined): StatementResult {
  if (statement !== undefined && result.columns !== undefined) statement.columns = result.columns;
  return { ...result, columns: result.columns ?? statement?.columns ?? [] };
}

/** SQLite's placeholder is ours; only a question mark that is none has to be rewritten. The driver counts the bindings. */
function toDriverSql(sql: string, bindings: readonly Binding[]): string {
  return sql.includes('\\?') ? placeBindings(sql, bindings, () => '?') : sql;
}

function revive({ name, code, message }: NonNullable<WorkerReply['failure']>): Error {
  return Object.assign(new Error(message), { name, ...(code === undefined ? {} : { code }) });
}
