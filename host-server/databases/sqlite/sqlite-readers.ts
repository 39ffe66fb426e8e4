import { DatabaseError } from '../../sql/database-error.ts';
import type { SharedOptions } from '../database.ts';
import { Semaphore, type GiveBack, type SemaphoreLimits } from '../units/semaphore.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** A thread with its connection takes some ten megabytes, and is started again within some ten milliseconds. */
const IDLE_MS = 10_000;

interface Resting {
  readonly connection: SqliteConnection;
  readonly since: number;
}

/** A few reading connections, opened when they are first needed and closed after ten seconds of rest. */
export class SqliteReaders {
  readonly #open: () => Promise<SqliteConnection>;
  readonly #places: Semaphore;
  /** The connection used last is at the end and is used first, so that the others can be closed. */
  readonly #resting: Resting[] = [];
  readonly #lent = new Map<SqliteConnection, GiveBack>();
  /** Connections that are just being opened, closed or given up. */
  readonly #moving = new Set<Promise<unknown>>();
  #sweeping: NodeJS.Timeout | undefined;
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
      const connection = this.#rested() ?? (await this.#follow(this.#opened()));
      this.#lent.set(connection, giveBack);
      return connection;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  release(connection: SqliteConnection): void {
    const giveBack = this.#lent.get(connection);
    this.#lent.delete(connection);
    if (this.#isClosed) this.#close(connection);
    else if (!connection.ended) this.#rest(connection);
    giveBack?.();
  }

  /** Gives up a connection whose statement goes on; its place is free when the statement has ended. */
  discard(connection: SqliteConnection): void {
    const giveBack = this.#lent.get(connection);
    this.#lent.delete(connection);
    void this.#follow(connection.abandon()).then(giveBack);
  }

  /** Resolves when no connection has the file open any more: the last one to close it may still write to it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#places.refuseAll(new DatabaseError('unreachable'));
    clearTimeout(this.#sweeping);
    await Promise.all([
      ...this.#resting.splice(0).map(({ connection }) => connection.close()),
      ...[...this.#lent.keys()].map((connection) => connection.abandon()),
    ]);
    while (this.#moving.size > 0) await Promise.all(this.#moving);
  }

  async #opened(): Promise<SqliteConnection> {
    const connection = await this.#open();
    if (!this.#isClosed) return connection;
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

  #rested(): SqliteConnection | undefined {
    for (let rest = this.#resting.pop(); rest !== undefined; rest = this.#resting.pop()) {
      // Its thread may have died at rest.
      if (!rest.connection.ended) return rest.connection;
    }
    return undefined;
  }

  #rest(connection: SqliteConnection): void {
    this.#resting.push({ connection, since: performance.now() });
    this.#sweeping ??= setTimeout(() => this.#sweep(), IDLE_MS).unref();
  }

  #sweep(): void {
    this.#sweeping = undefined;
    const idle = performance.now() - IDLE_MS;
    while (this.#resting[0] !== undefined && this.#resting[0].since <= idle) {
      const rest = this.#resting.shift();
      if (rest !== undefined) this.#close(rest.connection);
    }
    if (this.#resting.length > 0) this.#sweeping = setTimeout(() => this.#sweep(), IDLE_MS).unref();
  }
}
