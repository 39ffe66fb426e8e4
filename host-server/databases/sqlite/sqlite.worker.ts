import { readlinkSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { Database, Statement } from 'better-sqlite3';
import { DatabaseError } from '../../sql/database-error.ts';
import type { Foretold } from '../../sql/foresight.ts';
import { writeJsonRows } from '../../sql/json-rows.ts';
import { linkedBindings, writeLinkedPage, type LinkedPage } from '../../sql/linked-page.ts';
import { MOST_BYTES, rowBytes } from '../../sql/row-bytes.ts';
import { BoundedMap } from '../units/bounded-map.ts';
import { assertForetold } from './assert-foretold.ts';
import { assertAllowed } from './forbidden-statements.ts';
import { openFile } from './open-file.ts';
import { fromInteger, fromRow, plainRows, toSqlite } from './sqlite-values.ts';
import type {
  StatementCall,
  WorkerCall,
  WorkerFailure,
  WorkerReply,
  WorkerRequest,
  WorkerResult,
  WorkerSettings,
} from './worker-protocol.ts';

/** How long a statement waits for another process's lock. Milliseconds. */
const BUSY_MS = 5000;
/** The size at which a batch of a stream is cut. */
const BATCH_BYTES = 1024 * 1024;
/** The most bytes of a page's linked rows that are read without their numbers. */
const FEW_BYTES = 1024 * 1024;
/** The number of cached forms of pages with linked rows. */
const KEPT_PAGES = 40;
const EMPTY: WorkerResult = { columns: [], rows: [], changes: 0 };

/** The calls to an open file. */
type FileCall = Exclude<WorkerCall, { kind: 'open' }>;

interface KnownStatement {
  readonly sql: string;
  statement?: Statement;
  /** Whether the connection has the names of the columns and they cannot change. */
  named: boolean;
}

interface KnownPage {
  readonly page: LinkedPage;
  readonly links: readonly KnownLink[];
}

interface KnownLink {
  readonly all: Statement;
  /** See `PageLink.few`. */
  readonly few: Statement | undefined;
  readonly most: number;
}

/** One SQLite connection, controlled by the messages of its port. */
class SqliteWorker {
  readonly #database: Database;
  readonly #role: WorkerSettings['role'];
  readonly #changed: Statement;
  readonly #commit: Statement;
  readonly #statements = new Map<number, KnownStatement>();
  readonly #pages = new BoundedMap<string, KnownPage>(KEPT_PAGES);
  #cursor: { readonly rows: IterableIterator<unknown>; readonly columns: string[] } | undefined;

  constructor(settings: WorkerSettings) {
    this.#database = openFile(settings, BUSY_MS);
    this.#role = settings.role;
    this.#changed = this.#database.prepare('select changes()').pluck();
    this.#commit = this.#database.prepare('commit');
  }

  handle(call: FileCall): WorkerResult {
    switch (call.kind) {
      case 'statement':
        return this.#execute(call);
      case 'batch': {
        // Their texts are sent only once, even if they do not run.
        for (const statement of call.statements) this.#know(statement);
        const results = call.statements.map((statement) => this.#execute(statement));
        if (call.commits) this.#commit.run();
        return { ...EMPTY, results };
      }
      case 'forget':
        this.#statements.delete(call.statement);
        return EMPTY;
      case 'openCursor': {
        assertAllowed(call.sql, this.#role);
        const statement = this.#database.prepare(call.sql).raw().safeIntegers();
        this.#cursor = {
          rows: statement.iterate(...call.bindings.map(toSqlite)),
          columns: namesOf(statement),
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

  #execute(call: StatementCall): WorkerResult {
    const known = this.#know(call);
    // SQLite ends a transaction by itself when the disk is full; the remaining statements must not run outside it.
    if (call.inTransaction && !this.#database.inTransaction) throw new TransactionLost();
    const statement = this.#prepare(known);
    const values = call.bindings.map(toSqlite);
    if (!statement.reader) {
      const { changes, lastInsertRowid } = statement.run(...values);
      if (call.foretold !== undefined) return asForetold({ rows: [], changes }, call.foretold);
      return { ...this.#names(known, []), rows: [], changes, lastId: fromInteger(BigInt(lastInsertRowid)) };
    }
    const found = statement.raw().iterate(...values) as IterableIterator<unknown[]>;
    if (call.json !== undefined) {
      return { rows: [], changes: 0, json: writeJsonRows(plainRows(found), call.json, call.maxBytes) };
    }
    const rows = takeAll(found, call.maxBytes);
    if (call.page !== undefined)
      return { rows: [], changes: 0, json: this.#linkedPage(call.page, rows, call.maxBytes) };
    const changes = statement.readonly ? rows.length : Number(this.#changed.get());
    if (call.foretold !== undefined) return asForetold({ rows, changes }, call.foretold);
    return { ...this.#names(known), rows, changes };
  }

  #linkedPage(text: string, rows: readonly unknown[][], maxBytes = MOST_BYTES): Uint8Array<ArrayBuffer> {
    const { page, links } = this.#knownPage(text);
    const found = linkedBindings(page, rows).map((bindings, index) => {
      const link = links[index];
      if (bindings === undefined || link === undefined) return [];
      const values = bindings.map(toSqlite);
      return takeFew(link, values) ?? takeAll(link.all.iterate(...values) as Iterable<unknown[]>, maxBytes);
    });
    return writeLinkedPage(page, { rows, found }, maxBytes);
  }

  #knownPage(text: string): KnownPage {
    let known = this.#pages.get(text);
    if (known === undefined) {
      const page = JSON.parse(text) as LinkedPage;
      const prepare = (sql: string) => {
        assertAllowed(sql, this.#role);
        return this.#database.prepare(sql).raw().safeIntegers();
      };
      const links = page.links.map(({ sql, few }) => ({
        all: prepare(sql),
        few: few && prepare(few.sql),
        most: few?.most ?? 0,
      }));
      known = { page, links };
      this.#pages.set(text, known);
    }
    return known;
  }

  #know({ statement, sql }: StatementCall): KnownStatement {
    const known = this.#statements.get(statement);
    if (known !== undefined) return known;
    if (sql === undefined) throw new Error(`Statement ${statement} was never told`);
    const told: KnownStatement = { sql, named: false };
    this.#statements.set(statement, told);
    return told;
  }

  #prepare(known: KnownStatement): Statement {
    if (known.statement === undefined) {
      assertAllowed(known.sql, this.#role);
      known.statement = this.#database.prepare(known.sql).safeIntegers();
    }
    return known.statement;
  }

  /** Asking SQLite for the names takes longer than a read by key, so they are sent only if the connection lacks them. */
  #names(known: KnownStatement, names?: readonly string[]): Pick<WorkerResult, 'columns'> {
    if (known.named || known.statement === undefined) return {};
    // The columns of `select *` change with the schema; those of `count(*)` do not.
    known.named = !/(?<!\()\*/.test(known.sql);
    return { columns: names ?? namesOf(known.statement) };
  }

  #fetch(count: number): WorkerResult {
    const cursor = this.#cursor;
    if (cursor === undefined) return { ...EMPTY, isLast: true };
    const rows: unknown[][] = [];
    let bytes = 0;
    while (rows.length < count && bytes < BATCH_BYTES) {
      const next = cursor.rows.next();
      if (next.done === true) return { columns: cursor.columns, rows, changes: 0, isLast: true };
      const row = fromRow(next.value as unknown[]);
      bytes += rowBytes(row);
      rows.push(row);
    }
    return { columns: cursor.columns, rows, changes: 0, isLast: false };
  }
}

/** Undefined if there are too many, or they take too much space. */
function takeFew({ few, most }: KnownLink, values: readonly unknown[]): unknown[][] | undefined {
  if (few === undefined) return undefined;
  const rows: unknown[][] = [];
  let bytes = 0;
  for (const cells of few.iterate(...values) as Iterable<unknown[]>) {
    const row = fromRow(cells);
    bytes += rowBytes(row);
    rows.push(row);
    if (rows.length === most || bytes > FEW_BYTES) return undefined;
  }
  return rows;
}

function takeAll(found: Iterable<unknown[]>, maxBytes = Number.POSITIVE_INFINITY): unknown[][] {
  const rows: unknown[][] = [];
  let bytes = 0;
  for (const cells of found) {
    const row = fromRow(cells);
    bytes += rowBytes(row);
    if (bytes > maxBytes) throw new DatabaseError('tooLarge');
    rows.push(row);
  }
  return rows;
}

/** The caller has the answer already; the connection keeps the names of columns that it has. */
function asForetold(answer: Foretold, foretold: Foretold): WorkerResult {
  assertForetold(answer, foretold);
  return { rows: [], changes: 0 };
}

class TransactionLost extends Error {
  readonly code = 'SQLITE_FULL';

  constructor() {
    super('The transaction was ended by SQLite');
  }
}

function namesOf(statement: Statement): string[] {
  return statement.columns().map((column) => column.name);
}

function toFailure(error: unknown): WorkerFailure {
  if (!(error instanceof Error)) return { name: 'Error', code: undefined, message: String(error) };
  return { name: error.name, code: (error as NodeJS.ErrnoException).code, message: error.message };
}

const port = parentPort;
if (port === null) throw new Error('This file is started as a worker');

let worker: SqliteWorker | undefined;
const thread = systemThread();

/** Linux's number for this thread. */
function systemThread(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return Number(/\d+$/.exec(readlinkSync('/proc/thread-self'))?.[0]);
  } catch {
    // A container without /proc.
    return undefined;
  }
}

function handle(call: WorkerCall): WorkerResult {
  if (call.kind === 'open') {
    worker = new SqliteWorker(call.settings);
    return { ...EMPTY, thread };
  }
  if (worker === undefined) throw new Error('No file is open');
  const result = worker.handle(call);
  if (call.kind === 'close') worker = undefined;
  return result;
}

function answer({ id, call }: WorkerRequest): WorkerReply {
  try {
    return { id, result: handle(call) };
  } catch (error) {
    return { id, failure: toFailure(error) };
  }
}

port.on('message', (requests: WorkerRequest[]) => {
  const replies = requests.map(answer);
  // Buffers of JSON are transferred; everything else is copied.
  port.postMessage(
    replies,
    replies.flatMap(({ result }) => result?.json?.buffer ?? []),
  );
});
