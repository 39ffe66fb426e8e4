import { Worker } from 'node:worker_threads';
import { DatabaseError } from '../../sql/database-error.ts';
import type { JsonCell } from '../../sql/json-rows.ts';
import { MOST_BYTES } from '../../sql/row-bytes.ts';
import type { Binding, Session, SessionStatement, StatementResult } from '../../sql/session.ts';
import { BoundedMap } from '../units/bounded-map.ts';
import type { RowBatch } from '../units/stream-batches.ts';
import { sqliteWorkerEntry } from './worker-entry.ts';
import {
  OPENED,
  type StatementCall,
  type WorkerCall,
  type WorkerReply,
  type WorkerRequest,
  type WorkerResult,
  type WorkerSettings,
} from './worker-protocol.ts';

/** Prepared statements that the worker keeps for this connection. */
const KEPT_STATEMENTS = 200;

type ConnectionResult = StatementResult & Pick<WorkerResult, 'json' | 'isLast'>;

interface Waiting {
  readonly resolve: (result: ConnectionResult) => void;
  readonly reject: (error: Error) => void;
  /** Takes the names of the columns from the answer that has them, and gives them to the others. */
  readonly statement?: NumberedStatement;
}

type AskedStatement = SessionStatement & Omit<StatementCall, 'kind' | 'statement' | 'sql'>;

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
      await new Promise<ConnectionResult>((resolve, reject) => {
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
    return this.#statement({ sql, bindings, inTransaction: false });
  }

  /** The rows of a query as the bytes of a JSON array. */
  async readJson(query: SessionStatement, cells: readonly JsonCell[], maxBytes: number): Promise<Uint8Array> {
    const { json } = await this.#statement({ ...query, inTransaction: false, json: cells, maxBytes });
    if (json === undefined) throw new TypeError('Only a query has rows to write as JSON');
    return json;
  }

  /** Runs a statement only if the transaction that it belongs to is still open. */
  executeInTransaction(sql: string, bindings: readonly Binding[] = []): Promise<StatementResult> {
    return this.#statement({ sql, bindings, inTransaction: true });
  }

  /** Commits, unless a statement that travels in the same message fails. */
  async commitIfWhole(): Promise<void> {
    await this.#call({ kind: 'commitIfWhole' });
  }

  async openCursor(sql: string, bindings: readonly Binding[]): Promise<void> {
    await this.#call({ kind: 'openCursor', sql: toDriverSql(sql), bindings });
  }

  /** The next rows: at most `count`, and fewer when they are large. */
  async fetch(count: number): Promise<RowBatch> {
    const { columns, rows, isLast } = await this.#call({ kind: 'fetch', count });
    return { columns, rows, isLast: isLast === true };
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

  #statement({ sql, ...call }: AskedStatement): Promise<ConnectionResult> {
    const maxBytes = call.maxBytes ?? MOST_BYTES;
    const known = this.#statements.get(sql);
    if (known !== undefined) {
      return this.#call({ kind: 'statement', statement: known.number, ...call, maxBytes }, known);
    }
    this.#lastStatement += 1;
    const statement: NumberedStatement = { number: this.#lastStatement, columns: [] };
    const dropped = this.#statements.set(sql, statement);
    if (dropped !== undefined) this.#tell({ kind: 'forget', statement: dropped.number });
    const text = toDriverSql(sql);
    return this.#call(
      { kind: 'statement', statement: statement.number, sql: text, ...call, maxBytes },
      statement,
    );
  }

  #call(call: WorkerCall, statement?: NumberedStatement): Promise<ConnectionResult> {
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

function named(result: WorkerResult, statement: NumberedStatement | undefined): ConnectionResult {
  if (statement !== undefined && result.columns !== undefined) statement.columns = result.columns;
  return { ...result, columns: result.columns ?? statement?.columns ?? [] };
}

/** SQLite's placeholder is ours; only a question mark that is none has to be rewritten. The driver counts the bindings. */
export function toDriverSql(sql: string): string {
  return sql.replaceAll('\\?', '?');
}

function revive({ name, code, message }: NonNullable<WorkerReply['failure']>): Error {
  if (code === 'ANSWER_TOO_LARGE') return new DatabaseError('tooLarge');
  return Object.assign(new Error(message), { name, ...(code === undefined ? {} : { code }) });
}
