import { setImmediate } from 'node:timers/promises';
import { stat } from 'node:fs/promises';
import type { Foresight } from '../../sql/foresight.ts';
import type { Session } from '../../sql/session.ts';
import type { WriteOptions } from '../database.ts';
import { HOST_SHARE } from '../units/fair-line.ts';
import { JobLine, tell, type Job as WaitingJob } from '../units/job-line.ts';
import { Foreknowledge } from '../units/foreknowledge.ts';
import { SideBySide, type SharedTransaction } from '../units/side-by-side.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { WriteGroup } from './write-group.ts';

const UNITS_PER_COMMIT = 64;
/** The most milliseconds that a commit waits for more units to join. */
const GROUP_MS = 20;
const COMMITS_PER_WAL_CHECK = 256;
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;
const BUSY_MS = 5000;
const WAITING = { most: 2000, perShare: 1000 };
/** The most groups that run without foresight after a failed prediction: first one, then two, doubling up to this. */
const MOST_UNFORESEEN = 64;

type JobKind = 'unit' | 'oneStepUnit' | 'exclusive';
type Job = WaitingJob<JobKind>;

export interface SqliteWriterParts {
  readonly file: string;
  /** Opens the writing connection, now and again should its thread ever die. */
  readonly open: () => Promise<SqliteConnection>;
  /** Reads what is committed, as far as possible without waiting. */
  readonly read: Foresight['read'];
}

/**
 * The only writer of a file. Units that wait at the same time share a transaction, one after another (`WriteGroup`) or, if each
 * has one step, side by side (`SideBySide`). Shares take turns, and a call that waits too long rejects as busy.
 */
export class SqliteWriter {
  readonly #open: () => Promise<SqliteConnection>;
  readonly #file: string;
  readonly #read: Foresight['read'];
  readonly #line = new JobLine<JobKind>(WAITING);
  #connection: SqliteConnection;
  #unitsPerCommit = UNITS_PER_COMMIT;
  #draining: Promise<void> | undefined;
  #commits = 0;
  #unforeseen = 0;
  #groupsWithoutForesight = 0;

  private constructor(connection: SqliteConnection, { file, open, read }: SqliteWriterParts) {
    this.#connection = connection;
    this.#file = file;
    this.#open = open;
    this.#read = read;
  }

  static async create(parts: SqliteWriterParts): Promise<SqliteWriter> {
    const writer = new SqliteWriter(await parts.open(), parts);
    // A deferred foreign key speaks up at the commit only, where it would fail its neighbours too.
    const deferred = await writer.#connection.execute(
      "select 1 from sqlite_master where type = 'table' and sql like '%initially%deferred%' limit 1",
    );
    if (deferred.rows.length > 0) writer.#unitsPerCommit = 1;
    return writer;
  }

  /** Waits for what is queued. */
  async rest(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining;
  }

  /** Waits for what is queued and closes the connection, and gives the file its rollback journal back where it had one. */
  async close(givesJournalBack = false): Promise<void> {
    await this.rest();
    if (givesJournalBack && !this.#connection.ended) {
      // Somebody else may have the file open: it keeps the write-ahead log then, until it is closed the next time.
      await this.#connection.execute('pragma busy_timeout = 0');
      await this.#connection.execute('pragma journal_mode = delete').catch(() => undefined);
    }
    await this.#connection.close();
  }

  /**
   * Runs `work` in a transaction that it may share; resolves after the commit. Rejects with kind `busy` when the line is full, or
   * the share's turn does not come in time.
   */
  write<T>(
    work: (session: Session) => Promise<T>,
    { share = HOST_SHARE, work: size, isOneStep }: Pick<WriteOptions, 'share' | 'work' | 'isOneStep'> = {},
  ): Promise<T> {
    const kind = isOneStep === true ? 'oneStepUnit' : 'unit';
    // Bulk writes count as a separate share, so that a person's short write alternates with them instead of waiting for all.
    return this.#enqueue(kind, size === 'bulk' ? `${share}\nbulk` : share, work);
  }

  /** Runs `work` alone and outside of a transaction. */
  exclusively<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#enqueue('exclusive', HOST_SHARE, work);
  }

  #enqueue<T>(kind: JobKind, share: string, work: (session: Session) => Promise<T>): Promise<T> {
    const done = this.#line.add(kind, share, work);
    this.#draining ??= this.#drain();
    return done;
  }

  async #drain(): Promise<void> {
    for (;;) {
      // Requests that have arrived are read first, so that their writes are in the same group.
      await setImmediate();
      const job = this.#line.take();
      if (job === undefined) break;
      try {
        if (job.kind === 'exclusive') await this.#runExclusive(job);
        else await this.#runUnits(job);
      } catch (error) {
        // The units were answered already. The writer must continue whatever happens between two groups.
        warn(error);
      }
    }
    this.#draining = undefined;
  }

  /** A thread that died took at most one group with it, whose units were told; the next one gets a new thread. */
  async #revive(): Promise<SqliteConnection> {
    if (this.#connection.ended) this.#connection = await this.#open();
    return this.#connection;
  }

  async #runExclusive(job: Job): Promise<void> {
    try {
      await job.run(await this.#revive());
      job.settle();
    } catch (error) {
      job.fail(error);
    }
  }

  async #runUnits(first: Job): Promise<void> {
    const jobs = [first];
    while (this.#isOneStep(first) && this.#isOneStep(this.#line.peek()) && jobs.length < this.#unitsPerCommit)
      jobs.push(...[this.#line.take()].filter((job) => job !== undefined));
    if (this.#isOneStep(first) && (await this.#runForetold(jobs))) return;
    if (jobs.length > 1 && (await this.#runSideBySide(jobs))) return;
    while (jobs.length > 0) await this.#runGroup(jobs);
  }

  /** Runs units of one step in a single message, if their answers can be predicted. Returns like `runSideBySide`. */
  async #runForetold(jobs: readonly Job[]): Promise<boolean> {
    if (this.#groupsWithoutForesight > 0) {
      this.#groupsWithoutForesight -= 1;
      return false;
    }
    const isDone = await this.#runSideBySide(jobs, new Foreknowledge(this.#read));
    this.#unforeseen = isDone ? 0 : Math.min(this.#unforeseen * 2 + 1, MOST_UNFORESEEN);
    this.#groupsWithoutForesight = this.#unforeseen;
    return isDone;
  }

  /** Returns whether the units were answered; otherwise nothing was written. */
  async #runSideBySide(jobs: readonly Job[], foresight?: Foresight): Promise<boolean> {
    let outcomes: Awaited<ReturnType<SideBySide['outcomes']>>;
    try {
      const transaction = sharedTransaction(await this.#revive());
      const units = new SideBySide(
        transaction,
        jobs.map(({ run }) => run),
        foresight,
      );
      outcomes = await units.outcomes();
    } catch (error) {
      for (const job of jobs) job.fail(error);
      return true;
    }
    if (outcomes === undefined) return false;
    tell(jobs, outcomes);
    await this.#boundWal();
    return true;
  }

  /** Takes units from `jobs`, and then from the line, as long as they may share one transaction. */
  async #runGroup(jobs: Job[]): Promise<void> {
    const started = performance.now();
    const ran: { readonly job: Job; readonly failure: { readonly error: unknown } | undefined }[] = [];
    let taken = 0;
    let job = jobs.shift();
    let group: WriteGroup | undefined;
    const mayGoOn = (): boolean => jobs.length > 0 || this.#mayJoin(taken, started);
    try {
      const connection = await this.#revive();
      group = new WriteGroup(connection, () => taken === 1 && !mayGoOn());
      while (job !== undefined) {
        taken += 1;
        ran.push({ job, failure: await group.run(job.run) });
        job = !group.isCommitted && mayGoOn() ? (jobs.shift() ?? this.#line.take()) : undefined;
      }
      await group.commit();
    } catch (error) {
      for (const lost of new Set([...ran.map((one) => one.job), ...(job === undefined ? [] : [job])]))
        lost.fail(error);
      await group?.rollBack();
      return;
    }
    // Not before the commit: what a unit was refused for may be what another one of the group wrote, which nobody can read until now.
    for (const { job: answered, failure } of ran) {
      if (failure === undefined) answered.settle();
      else answered.fail(failure.error);
    }
    await this.#boundWal();
  }

  #isOneStep(job: Job | undefined): boolean {
    return job?.kind === 'oneStepUnit';
  }

  #mayJoin(taken: number, started: number): boolean {
    const next = this.#line.peek()?.kind;
    return (
      next !== undefined &&
      next !== 'exclusive' &&
      taken < this.#unitsPerCommit &&
      performance.now() - started < GROUP_MS
    );
  }

  /**
   * Empties the write-ahead log once it has grown large. SQLite's own checkpoints never shorten the file, and overlapping readers
   * keep them from starting over.
   */
  async #boundWal(): Promise<void> {
    this.#commits += 1;
    if (this.#commits % COMMITS_PER_WAL_CHECK !== 0) return;
    const size = await stat(`${this.#file}-wal`).then(
      (found) => found.size,
      () => 0,
    );
    if (size < WAL_LIMIT_BYTES) return;
    const connection = this.#connection;
    // Without waiting: with readers in the way the next check tries again.
    await connection.execute('pragma busy_timeout = 0');
    try {
      await connection.execute('pragma wal_checkpoint(truncate)');
    } catch (error) {
      warn(error);
    } finally {
      await connection.execute(`pragma busy_timeout = ${BUSY_MS}`).catch(async (error: unknown) => {
        warn(error);
        await connection.abandon();
      });
    }
  }
}

function sharedTransaction(connection: SqliteConnection): SharedTransaction {
  return {
    begin: () => connection.execute('begin immediate'),
    run: (statements, options) => connection.executeAllInTransaction(statements, options),
    rollBack: () => connection.rollBack(),
    // Anything but a refused value, or an answer that was not foretold, concerns the file.
    isOfOneUnit: (error) =>
      /^(?:SQLITE_CONSTRAINT|UNFORESEEN$)/.test((error as NodeJS.ErrnoException).code ?? ''),
  };
}

/** Errors that nobody waits for become process warnings, which are logged. */
function warn(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.emitWarning(text, { type: 'SqliteWriterFailure' });
}
