import { getPriority, setPriority } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { DatabaseError } from '../../sql/database-error.ts';
import type { JsonCell } from '../../sql/json-rows.ts';
import type { LinkedPage, PageLink } from '../../sql/linked-page.ts';
import { MOST_BYTES } from '../../sql/row-bytes.ts';
import type { Binding, Session, SessionStatement, StatementResult } from '../../sql/session.ts';
import { BoundedMap } from '../units/bounded-map.ts';
import type { SharedStatement } from '../units/side-by-side.ts';
import type { RowBatch } from '../units/stream-batches.ts';
import { restThread, takeThread } from './sqlite-threads.ts';
import type {
  StatementCall,
  WorkerCall,
  WorkerReply,
  WorkerRequest,
  WorkerResult,
  WorkerSettings,
} from './worker-protocol.ts';

/** How many steps nicer a low-priority thread is than the others: it still gets a tenth of a core that they want. */
const BEHIND = 10;
const NICEST = 19;
/** The number of prepared statements that the worker keeps for this connection. */
const KEPT_STATEMENTS = 200;

type ConnectionResult = StatementResult & Pick<WorkerResult, 'json' | 'isLast'>;

interface Waiting {
  readonly resolve: (result: WorkerResult) => void;
  readonly reject: (error: Error) => void;
}

type AskedStatement = Pick<SessionStatement, 'sql'> & Omit<StatementCall, 'kind' | 'statement' | 'sql'>;

/** A statement that the worker knows by its number. */
interface NumberedStatement {
  readonly number: number;
  /** Stored from the answer that has them, for later answers. */
  columns: readonly string[];
}

/** A SQLite connection in a worker thread. Calls of one tick are sent in one message. */
export class SqliteConnection implements Session {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #statements = new BoundedMap<string, NumberedStatement>(KEPT_STATEMENTS, ({ number }) => {
    this.#dropped.push(number);
  });
  /** Statements for the worker to forget, after the calls that are about to be sent and may still name them. */
  #dropped: number[] = [];
  #outbox: WorkerRequest[] = [];
  #lastStatement = 0;
  #lastId = 0;
  #ended = false;
  #closing: Promise<void> | undefined;
  #thread: number | undefined;
  #standsBack = false;

  private constructor(worker: Worker) {
    this.#worker = worker.on('message', this.#receive).on('error', this.#end).on('exit', this.#exit);
  }

  /** Rejects with the driver's error when the file is missing, damaged or not a database. */
  static async open(settings: WorkerSettings): Promise<SqliteConnection> {
    const connection = new SqliteConnection(await takeThread());
    try {
      connection.#thread = (await connection.#call({ kind: 'open', settings })).thread;
    } catch (error) {
      await connection.abandon();
      throw error;
    }
    return connection;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Whether a call is running; an idle connection can be given to another caller. */
  get busy(): boolean {
    return this.#waiting.size > 0;
  }

  /** Whether the thread has the lowest priority. */
  get standsBack(): boolean {
    return this.#standsBack;
  }

  /**
   * Gives all other threads priority, permanently, since a system does not raise a priority again: the thread ends with the
   * connection. Does nothing where the system has no priorities of threads.
   */
  standBack(): void {
    if (this.#thread === undefined || this.#ended || this.#standsBack) return;
    try {
      setPriority(this.#thread, Math.min(NICEST, getPriority() + BEHIND));
      this.#standsBack = true;
    } catch {
      // A sandbox forbids it: the thread keeps its priority.
      this.#thread = undefined;
    }
  }

  execute(sql: string, bindings: readonly Binding[] = []): Promise<StatementResult> {
    return this.#statement({ sql, bindings, inTransaction: false });
  }

  /** Runs statements in their order, in one message. After a failure the remaining ones still run. */
  executeAll(statements: readonly SessionStatement[]): Promise<readonly StatementResult[]> {
    return Promise.all(statements.map(({ sql, bindings }) => this.execute(sql, bindings)));
  }

  /** The rows of a query as the bytes of a JSON array, with their linked rows if the form says so. */
  async readJson(
    { sql, bindings }: SessionStatement,
    form: readonly JsonCell[] | LinkedPage,
    maxBytes: number,
  ): Promise<Uint8Array> {
    const as = 'links' in form ? { page: driverPage(form) } : { json: form };
    const { json } = await this.#statement({ sql, bindings, inTransaction: false, maxBytes, ...as });
    if (json === undefined) throw new TypeError('Only a query has rows to write as JSON');
    return json;
  }

  /** Runs a statement only if its transaction is still open. */
  executeInTransaction(sql: string, bindings: readonly Binding[] = []): Promise<StatementResult> {
    return this.#statement({ sql, bindings, inTransaction: true });
  }

  /**
   * Runs statements of the open transaction in their order, and then commits if requested. Rejects with the first failure; the
   * remaining statements and the commit are not run.
   */
  async executeAllInTransaction(
    statements: readonly SharedStatement[],
    { commits }: { readonly commits: boolean },
  ): Promise<readonly StatementResult[]> {
    const asked = statements.map(({ sql, bindings, foretold }) =>
      this.#numbered({ sql, bindings, foretold, inTransaction: true }),
    );
    const { results = [] } = await this.#call({
      kind: 'batch',
      statements: asked.map(({ call }) => call),
      commits,
    });
    return asked.map(({ statement }, index) => named(results[index] ?? nothing, statement));
  }

  /** Undoes the open transaction, if there is one. If that fails, abandons the connection, which undoes it too. */
  async rollBack(): Promise<void> {
    if (this.#ended) return;
    try {
      await this.executeInTransaction('rollback');
    } catch (error) {
      // The worker refuses if SQLite has rolled back by itself, or has never begun.
      if ((error as NodeJS.ErrnoException).code === 'SQLITE_FULL') return;
      await this.abandon();
      throw error;
    }
  }

  async openCursor(sql: string, bindings: readonly Binding[]): Promise<void> {
    await this.#call({ kind: 'openCursor', sql: toDriverSql(sql), bindings });
  }

  /** The next rows: at most `count`, fewer if they are large. */
  async fetch(count: number): Promise<RowBatch> {
    const { columns = [], rows, isLast } = await this.#call({ kind: 'fetch', count });
    return { columns, rows, isLast: isLast === true };
  }

  async closeCursor(): Promise<void> {
    await this.#call({ kind: 'closeCursor' });
  }

  /** Closes the file; the thread can open another one. */
  async close(): Promise<void> {
    if (!this.#ended) await (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    try {
      await this.#call({ kind: 'close' });
    } catch (error) {
      await this.abandon();
      throw error;
    }
    this.#ended = true;
    this.#worker.off('message', this.#receive).off('error', this.#end).off('exit', this.#exit);
    if (this.#standsBack) await this.#worker.terminate();
    else await restThread(this.#worker);
  }

  /**
   * Abandons the connection at once. SQLite cannot be interrupted from another thread: the thread ends when its statement next
   * returns, and then `ended` resolves.
   */
  abandon(): Promise<void> {
    this.#end(new DatabaseError('cancelled'));
    return this.#worker.terminate().then(() => {});
  }

  async #statement(asked: AskedStatement): Promise<ConnectionResult> {
    const { call, statement } = this.#numbered(asked);
    return named(await this.#call(call), statement);
  }

  /** A call of a statement by its number, with its text if the worker does not know it yet. */
  #numbered({ sql, ...asked }: AskedStatement): {
    readonly call: StatementCall;
    readonly statement: NumberedStatement;
  } {
    const call = { kind: 'statement', ...asked, maxBytes: asked.maxBytes ?? MOST_BYTES } as const;
    const known = this.#statements.get(sql);
    if (known !== undefined) return { call: { ...call, statement: known.number }, statement: known };
    this.#lastStatement += 1;
    const statement: NumberedStatement = { number: this.#lastStatement, columns: [] };
    this.#statements.set(sql, statement);
    return { call: { ...call, statement: statement.number, sql: toDriverSql(sql) }, statement };
  }

  #call(call: WorkerCall): Promise<WorkerResult> {
    if (this.#ended) return Promise.reject(new DatabaseError('unreachable'));
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(this.#tell(call), { resolve, reject });
    });
  }

  /** Adds a call to the next message and returns its number; calls of one tick are sent together. */
  #tell(call: WorkerCall): number {
    this.#lastId += 1;
    this.#outbox.push({ id: this.#lastId, call });
    if (this.#outbox.length === 1) queueMicrotask(() => this.#send());
    return this.#lastId;
  }

  #send(): void {
    for (const statement of this.#dropped.splice(0)) this.#tell({ kind: 'forget', statement });
    const batch = this.#outbox;
    this.#outbox = [];
    if (!this.#ended) this.#worker.postMessage(batch);
  }

  readonly #receive = (replies: WorkerReply[]): void => {
    for (const { id, result, failure } of replies) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (failure !== undefined) waiting?.reject(revive(failure));
      else if (result !== undefined) waiting?.resolve(result);
    }
    // An idle connection does not keep the process alive.
    if (this.#waiting.size === 0) this.#worker.unref();
  };

  readonly #exit = (): void => this.#end(new Error('The worker has ended'));

  readonly #end = (cause: Error): void => {
    this.#ended = true;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    const error = cause instanceof DatabaseError ? cause : new DatabaseError('unreachable', { cause });
    for (const { reject } of waiting) reject(error);
  };
}

const driverPages = new WeakMap<LinkedPage, string>();

/** A page in the form that the worker receives, which also identifies it. Pages are used repeatedly. */
function driverPage(page: LinkedPage): string {
  let told = driverPages.get(page);
  if (told === undefined) {
    const { cells, links } = page;
    told = JSON.stringify({ cells, links: links.map(driverLink) });
    driverPages.set(page, told);
  }
  return told;
}

function driverLink(link: PageLink): PageLink {
  const few = link.few && { ...link.few, sql: toDriverSql(link.few.sql) };
  return { ...link, sql: toDriverSql(link.sql), few };
}

const nothing: WorkerResult = { rows: [], changes: 0 };

function named(result: WorkerResult, statement: NumberedStatement): ConnectionResult {
  if (result.columns !== undefined) statement.columns = result.columns;
  return { ...result, columns: statement.columns };
}

/**
 * SQLite's placeholder is the same as ours; only a question mark that is no placeholder is rewritten. The driver counts the
 * bindings.
 */
export function toDriverSql(sql: string): string {
  return sql.replaceAll('\\?', '?');
}

function revive({ name, code, message }: NonNullable<WorkerReply['failure']>): Error {
  if (code === 'ANSWER_TOO_LARGE') return new DatabaseError('tooLarge');
  return Object.assign(new Error(message), { name, ...(code === undefined ? {} : { code }) });
}
