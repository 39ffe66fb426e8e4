import { AsyncResource } from 'node:async_hooks';
import { stat } from 'node:fs/promises';
import type { Binding, Session } from '../../sql/session.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

const UNITS_PER_COMMIT = 64;
/** A commit waits no longer than this for more units to join. */
const GROUP_MS = 20;
const COMMITS_PER_WAL_CHECK = 256;
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;

interface Job {
  readonly kind: 'unit' | 'exclusive';
  readonly run: (session: Session) => Promise<void>;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * The one writer of a file. Units that wait at the same time share a transaction, a savepoint each: a failing unit rolls
 * back to its savepoint alone, and all others are acknowledged by the one commit, so by one wait for the disk.
 */
export class SqliteWriter {
  readonly #open: () => Promise<SqliteConnection>;
  readonly #file: string;
  readonly #queue: Job[] = [];
  readonly #inTransaction: Session;
  #connection: SqliteConnection;
  #unitsPerCommit = UNITS_PER_COMMIT;
  #draining: Promise<void> | undefined;
  #commits = 0;
  #held: string[] = [];

  private constructor(connection: SqliteConnection, file: string, open: () => Promise<SqliteConnection>) {
    this.#connection = connection;
    this.#file = file;
    this.#open = open;
    this.#inTransaction = {
      pipelines: true,
      execute: (sql: string, bindings?: readonly Binding[]) => {
        this.#sendHeld();
        return this.#connection.executeInTransaction(sql, bindings);
      },
    };
  }

  /** @param open opens the writing connection, now and again should its thread ever die */
  static async create(file: string, open: () => Promise<SqliteConnection>): Promise<SqliteWriter> {
    const writer = new SqliteWriter(await open(), file, open);
    // A deferred foreign key speaks up at the commit only, where it would fail its neighbours too.
    const deferred = await writer.#connection.execute(
      "select 1 from sqlite_master where type = 'table' and sql like '%initially%deferred%' limit 1",
    );
    if (deferred.rows.length > 0) writer.#unitsPerCommit = 1;
    return writer;
  }

  /** Waits for what is queued and closes the connection. */
  async close(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining;
    await this.#connection.close();
  }

  /** Runs `work` in a transaction that it may share; resolves after the commit. */
  write<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#enqueue('unit', work);
  }

  /** Runs `work` alone and outside of a transaction. */
  exclusively<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#enqueue('exclusive', work);
  }

  #enqueue<T>(kind: Job['kind'], work: (session: Session) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let value: T;
      const caller = new AsyncResource('SqliteWrite');
      this.#queue.push({
        kind,
        run: async (session) => {
          value = await caller.runInAsyncScope(work, undefined, session);
        },
        settle: () => resolve(value),
        fail: reject,
      });
      this.#draining ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    // One turn of the microtask queue, so that everything asked for in this tick is in the first group.
    await Promise.resolve();
    for (let job = this.#queue.shift(); job !== undefined; job = this.#queue.shift()) {
      if (job.kind === 'exclusive') await this.#runExclusive(job);
      else await this.#runGroup(job);
    }
    this.#draining = undefined;
  }

  /** A thread that died took at most one group with it, whose units were told; the next one gets a new thread. */
  async #revive(): Promise<void> {
    if (this.#connection.ended) this.#connection = await this.#open();
  }

  async #runExclusive(job: Job): Promise<void> {
    try {
      await this.#revive();
      await job.run(this.#connection);
      job.settle();
    } catch (error) {
      job.fail(error);
    }
  }

  async #runGroup(first: Job): Promise<void> {
    const done: Job[] = [];
    const started = performance.now();
    let taken = 0;
    let job: Job | undefined = first;
    try {
      await this.#revive();
      await this.#connection.execute('begin immediate');
      while (job !== undefined) {
        taken += 1;
        if (await this.#runUnit(job)) done.push(job);
        job = this.#mayJoin(taken, started) ? this.#queue.shift() : undefined;
      }
      await this.#inTransaction.execute('commit');
    } catch (error) {
      await this.#rollBack();
      for (const failed of new Set(job === undefined ? done : [...done, job])) failed.fail(error);
      return;
    }
    for (const committed of done) committed.settle();
    await this.#boundWal();
  }

  #mayJoin(taken: number, started: number): boolean {
    return (
      this.#queue[0]?.kind === 'unit' &&
      taken < this.#unitsPerCommit &&
      performance.now() - started < GROUP_MS
    );
  }

  /** Answers whether the unit succeeded; rejects only when the transaction itself is lost. */
  async #runUnit(job: Job): Promise<boolean> {
    this.#held.push('savepoint unit');
    try {
      await job.run(this.#inTransaction);
    } catch (error) {
      if (!this.#dropSavepoint()) {
        await Promise.all([
          this.#inTransaction.execute('rollback to unit'),
          this.#inTransaction.execute('release unit'),
        ]);
      }
      job.fail(error);
      return false;
    }
    if (!this.#dropSavepoint()) this.#held.push('release unit');
    return true;
  }

  /** Answers whether the unit's savepoint was still held, because the unit ran no statement. */
  #dropSavepoint(): boolean {
    if (this.#held.at(-1) !== 'savepoint unit') return false;
    this.#held.pop();
    return true;
  }

  /**
   * Sends the savepoints and releases that waited for a statement to travel with. Their failures need no ear: they fail where
   * the transaction is lost, and then the worker refuses everything that follows, or where a unit has no savepoint, and then
   * only rolling that unit back fails, and with it the transaction.
   */
  #sendHeld(): void {
    for (const sql of this.#held.splice(0)) this.#connection.executeInTransaction(sql).catch(() => {});
  }

  async #rollBack(): Promise<void> {
    this.#held = [];
    if (this.#connection.ended) return;
    try {
      await this.#inTransaction.execute('rollback');
    } catch (error) {
      // The worker refuses when SQLite has rolled back by itself, which is what was wanted.
      if ((error as NodeJS.ErrnoException).code !== 'SQLITE_FULL') throw error;
    }
  }

  /**
   * Empties the write-ahead log once it has grown large. SQLite's own checkpoints never shorten the file, and readers that
   * follow on each other keep them from starting over.
   */
  async #boundWal(): Promise<void> {
    this.#commits += 1;
    if (this.#commits % COMMITS_PER_WAL_CHECK !== 0) return;
    const size = await stat(`${this.#file}-wal`).then(
      (found) => found.size,
      () => 0,
    );
    if (size < WAL_LIMIT_BYTES) return;
    // Without waiting: with readers in the way the next check tries again.
    await this.#connection.execute('pragma busy_timeout = 0');
    await this.#connection.execute('pragma wal_checkpoint(truncate)');
    await this.#connection.execute('pragma busy_timeout = 5000');
  }
}
