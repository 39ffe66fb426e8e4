import { DatabaseError } from '../../sql/database-error.ts';
import type { SharedOptions } from '../database.ts';
import { Semaphore, type GiveBack, type SemaphoreLimits } from '../units/semaphore.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** A thread with its connection takes about ten megabytes; starting it again takes about forty milliseconds of computing. */
const WINDOW_MS = 10_000;
/** A second connection stays open if its reads take this much of a window: more than jobs that happen to run at the same moment. */
const WORTH_MS = 500;
/** Most reads finish within this time, so that no thread needs to be started. */
const PATIENCE_MS = 20;
/** A longer read yields to all others. Its thread ends with it, and the next read starts another one. */
const LONG_MS = 500;
/** With more waiting callers than this, another connection is opened at once. */
const MOST_IN_LINE = 3;

/** An open connection, and the reads made with it since its window began. */
interface Reader {
  readonly connection: SqliteConnection;
  windowFrom: number;
  reads: number;
  readMs: number;
}

interface Lent {
  readonly reader: Reader;
  readonly since: number;
  readonly giveBack: GiveBack;
}

/** Takes the next connection that comes back; `undefined` means that none will. */
type Waiting = (reader: Reader | undefined) => void;

/** A few reading connections, opened when the open ones do not suffice, and closed when fewer would. */
export class SqliteReaders {
  readonly #open: () => Promise<SqliteConnection>;
  readonly #places: Semaphore;
  /** The connection used last is at the end and is used first, so that the others can be closed. */
  readonly #resting: Reader[] = [];
  readonly #lent = new Map<SqliteConnection, Lent>();
  /** Callers that hold a place and wait for a connection to come back. */
  readonly #waiting = new Set<Waiting>();
  /** Connections that are just being opened, closed or given up. */
  readonly #moving = new Set<Promise<unknown>>();
  #sweeping: NodeJS.Timeout | undefined;
  #watching: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param limits how callers wait while all of `most` connections are lent */
  constructor(most: number, limits: SemaphoreLimits, open: () => Promise<SqliteConnection>) {
    this.#places = new Semaphore(most, limits);
    this.#open = open;
  }

  /** Rejects with kind `busy` when no connection is free in time. */
  async acquire(options: SharedOptions = {}): Promise<SqliteConnection> {
    const giveBack = await this.#places.acquire(options);
    try {
      if (this.#isClosed) throw new DatabaseError('unreachable');
      const rested = this.#rested();
      if (rested !== undefined) return this.#lend(rested, giveBack);
      return (await this.#returned(giveBack)) ?? this.#lend(await this.#follow(this.#opened()), giveBack);
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  release(connection: SqliteConnection): void {
    const lent = this.#takeBack(connection);
    if (this.#isClosed) this.#close(connection);
    else if (lent !== undefined && !connection.ended) this.#rest(lent.reader);
    lent?.giveBack();
  }

  /** Gives up a connection whose statement goes on; its place is free when the statement has ended. */
  discard(connection: SqliteConnection): void {
    const lent = this.#takeBack(connection);
    void this.#follow(connection.abandon()).then(lent?.giveBack);
  }

  /** Resolves when no connection has the file open any more: the last one to close it may still write to it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#places.refuseAll(new DatabaseError('unreachable'));
    for (const tell of this.#waiting) tell(undefined);
    clearTimeout(this.#sweeping);
    clearTimeout(this.#watching);
    await Promise.all([
      ...this.#resting.splice(0).map(({ connection }) => connection.close()),
      ...[...this.#lent.keys()].map((connection) => connection.abandon()),
    ]);
    while (this.#moving.size > 0) await Promise.all(this.#moving);
  }

  #lend(reader: Reader, giveBack: GiveBack): SqliteConnection {
    this.#lent.set(reader.connection, { reader, since: performance.now(), giveBack });
    this.#watching ??= setTimeout(() => this.#watch(), LONG_MS).unref();
    return reader.connection;
  }

  /** Makes long reads yield, so that short reads, password hashes and the main thread get the processor. */
  #watch(): void {
    this.#watching = undefined;
    const now = performance.now();
    for (const [connection, { since }] of this.#lent) {
      if (now - since >= LONG_MS) connection.standBack();
    }
    if (this.#lent.size > 0) this.#watching = setTimeout(() => this.#watch(), LONG_MS).unref();
  }

  #takeBack(connection: SqliteConnection): Lent | undefined {
    const lent = this.#lent.get(connection);
    this.#lent.delete(connection);
    if (lent === undefined) return undefined;
    lent.reader.reads += 1;
    lent.reader.readMs += performance.now() - lent.since;
    return lent;
  }

  /** Waits a moment for a lent connection; `undefined` if another one must be opened. */
  #returned(giveBack: GiveBack): Promise<SqliteConnection | undefined> | undefined {
    if (this.#lent.size === 0 || this.#places.waiting > MOST_IN_LINE) return undefined;
    return new Promise((resolve) => {
      const take: Waiting = (reader) => {
        clearTimeout(timer);
        if (!this.#waiting.delete(take)) return;
        // Lent at once, so that it is known to be in use before the caller goes on.
        resolve(reader && this.#lend(reader, giveBack));
      };
      // On a busy main thread the connection may be back, but that is heard only behind the timers.
      const timer = setTimeout(() => setImmediate(take, undefined), PATIENCE_MS);
      this.#waiting.add(take);
    });
  }

  async #opened(): Promise<Reader> {
    if (this.#isClosed) throw new DatabaseError('unreachable');
    const connection = await this.#open();
    if (!this.#isClosed) return { connection, windowFrom: performance.now(), reads: 0, readMs: 0 };
    this.#close(connection);
    throw new DatabaseError('unreachable');
  }

  #close(connection: SqliteConnection): void {
    void this.#follow(connection.close().catch(() => connection.abandon()));
  }

  #follow<T>(work: Promise<T>): Promise<T> {
    const settled = work
      .catch(() => undefined)
      .then(() => {
        this.#moving.delete(settled);
      });
    this.#moving.add(settled);
    return work;
  }

  #rested(): Reader | undefined {
    for (let reader = this.#resting.pop(); reader !== undefined; reader = this.#resting.pop()) {
      // Its thread may have died while idle.
      if (!reader.connection.ended) return reader;
    }
    return undefined;
  }

  #rest(reader: Reader): void {
    const [next] = this.#waiting;
    if (reader.connection.standsBack) {
      this.#close(reader.connection);
      return next?.(undefined);
    }
    if (next !== undefined) return next(reader);
    this.#resting.push(reader);
    this.#sweeping ??= setTimeout(() => this.#sweep(), WINDOW_MS).unref();
  }

  /** Closes connections that were not needed for a window: the one used last if nobody read, the others if they read little. */
  #sweep(): void {
    this.#sweeping = undefined;
    const now = performance.now();
    const last = this.#lent.size === 0 ? this.#resting.at(-1) : undefined;
    const due = this.#resting.filter(({ windowFrom }) => now - windowFrom >= WINDOW_MS);
    for (const reader of due) {
      const isNeeded = reader === last ? reader.reads > 0 : reader.readMs >= WORTH_MS;
      Object.assign(reader, { windowFrom: now, reads: 0, readMs: 0 });
      if (isNeeded) continue;
      this.#resting.splice(this.#resting.indexOf(reader), 1);
      this.#close(reader.connection);
    }
    if (this.#resting.length > 0) this.#sweeping = setTimeout(() => this.#sweep(), WINDOW_MS).unref();
  }
}
