import { auditSentence, type Logger } from '@trellis/sdk/server';
import type { Database } from '../../databases/database.ts';
import type { Unit } from '../../sql/unit.ts';
import { newId } from '../../runtime/ids.ts';
import type { Metadata } from '../../metadata/metadata.ts';
import { models } from '../../metadata/models/models.ts';
import { isCancel, wordsFor } from '../../runtime/tasks/task-errors.ts';
import { schemaKindPrefix, storedPrincipal } from '../../runtime/tasks/task-row.ts';
import { TaskRows } from '../../runtime/tasks/task-rows.ts';
import type { AnnounceSchemaChange, RecordSchemaChange, SchemaChange } from '../schema-changes.ts';
import { schemaErrors } from '../schema-errors.ts';
import { JobProgress } from './job-progress.ts';

/**
 * One kind of schema change. The payload says everything, so that a job cut off at any point is simply run again.
 *
 * `apply` changes the database (each part may be run again), `commit` the metadata in the transaction that also ends the job
 * and records the change, `revert` takes `apply` back as far as it came (and may be run again too).
 */
export interface SchemaJobKind<Payload> {
  readonly kind: string;
  /** Gives what is left to do where a change concerns values: to rows that people wrote meanwhile, or all of it in one step. */
  apply(payload: Payload, context: SchemaJobContext): Promise<FinishRows | FinishAtOnce | void>;
  commit(unit: Unit, payload: Payload): Promise<void>;
  revert(payload: Payload): Promise<void>;
}

/** The last of a change's work on rows. */
export interface FinishRows {
  readonly database: Database;
  /** Does what can be done while people write, until little is left. */
  approach(): Promise<void>;
  /**
   * Does the rest, right before `commit`: nobody can write with the old picture of the schema any more and nobody yet with the new
   * one. False when too much is left: the transaction is rolled back, and `approach` is called again.
   *
   * @param unit a transaction of `database`; it may be run again from the start.
   */
  run(unit: Unit): Promise<boolean>;
}

/** A change of a database that somebody else may be using: it is whole or not there, and never half done in between. */
export interface FinishAtOnce {
  /** Changes the database, and then calls `commit` while nobody can write yet. May be run again; calls `commit` each time. */
  runWith(commit: () => Promise<void>): Promise<void>;
}

export interface SchemaJobContext {
  readonly signal: AbortSignal;
  /** Named points at which tests end the process. */
  reach(point: string): Promise<void>;
  /** Shows how far the job is. Throws when somebody asked for its end. */
  progress(progress: { readonly done: number; readonly total: number }): Promise<void>;
}

interface JobRow {
  readonly id: string;
  readonly project_id: string;
  readonly kind: string;
  readonly state: string;
  readonly payload: string;
}

/** What the payload of a schema change's task holds. */
interface StoredJob {
  readonly payload: unknown;
  readonly change: SchemaChange;
}

/** A job as it is run, resumed or taken back. */
interface Job<Payload> {
  readonly id: string;
  readonly kind: SchemaJobKind<Payload>;
  readonly payload: Payload;
  readonly change: SchemaChange;
}

export interface SchemaJobsDependencies {
  readonly metadata: Metadata;
  readonly logger: Logger;
  readonly kinds: readonly SchemaJobKind<never>[];
  readonly record: RecordSchemaChange;
  readonly announce: AnnounceSchemaChange;
  /** Tells everybody how a task is now. */
  readonly announceTask: (id: string) => Promise<void>;
  /** For fault tests; does nothing by default. */
  readonly reach?: (point: string) => Promise<void>;
}

/** Milliseconds that a change waits for another one of the same project. */
const patience = 8000;
/** How often rows are brought up to date before the last transaction, while people go on writing. */
const mostApproaches = 5;
/** Milliseconds for the last look at the rows of a database whose writes are not in the log. */
const longestFinish = 10 * 60_000;

/** Rolls back the last transaction of a job when people wrote more rows than it can finish. */
class RowsLeft extends Error {}

/** What is known of the database that a job changes; undefined for a kind of a later version that says it in another way. */
function baseOf(payload: unknown): Partial<SchemaJobBase> | undefined {
  return (payload as { readonly base?: Partial<SchemaJobBase> }).base;
}

interface SchemaJobBase {
  readonly id: string;
  readonly own: boolean;
  readonly schemaChanges: boolean;
}

/** The job of a database whose tables somebody keeps as they are. @throws TrellisError 403 `SCHEMA_FIXED` */
function assertChangeable(payload: unknown): void {
  if (baseOf(payload)?.schemaChanges === false) throw schemaErrors.create('SCHEMA_FIXED');
}

const unfinished = ['running', 'reverting'];

/** The tasks that are schema changes. */
const isSchemaChange = ['kind', 'like', `${schemaKindPrefix}%`] as const;

/**
 * Runs schema changes as recorded jobs: intent, database, metadata, done. One at a time for each project, over all servers.
 *
 * A job is a task whose row is written here and not by a worker: the caller waits for it, holding the project's lease. It is `running` until it is `done`, or `reverting` until it `failed`. Only one of the two can end it, whoever tries: a
 * server that lost its lease cannot take back what another one finished in its place.
 */
export class SchemaJobs {
  readonly #deps: SchemaJobsDependencies;
  readonly #reach: (point: string) => Promise<void>;
  readonly #tasks: TaskRows;

  constructor(deps: SchemaJobsDependencies) {
    this.#deps = deps;
    this.#tasks = new TaskRows(deps.metadata.database);
    this.#reach = deps.reach ?? (() => Promise.resolve());
  }

  /**
   * Gives `work` the project's schema for itself, as it is now and with nothing left half done; 409 when somebody else keeps
   * it for too long.
   */
  async exclusively<T>(projectId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { leases, generations } = this.#deps.metadata;
    let isHeld = false;
    const result = await leases.hold(
      `schema:${projectId}`,
      async ({ signal }) => {
        isHeld = true;
        // Another server may have changed the schema a moment ago, and the change is planned with the snapshot of this one.
        await generations.poll();
        await this.settle(projectId, signal);
        return work(signal);
      },
      { wait: patience },
    );
    if (!isHeld) throw schemaErrors.create('SCHEMA_BUSY');
    return result as T;
  }

  /** Runs one job inside `exclusively`. A failure takes back what was done and is told to the caller. */
  async run<Payload>(
    projectId: string,
    kind: SchemaJobKind<Payload>,
    payload: Payload,
    signal: AbortSignal,
    change: SchemaChange,
  ): Promise<void> {
    assertChangeable(payload);
    const job: Job<Payload> = { id: newId('task'), kind, payload, change };
    const { principal, requestId } = change.scope;
    const author = { requestId, principal: { id: principal.id, email: principal.email } };
    const stored: StoredJob = { payload, change: { ...change, scope: author } };
    await this.#tasks.insert({
      id: job.id,
      project_id: projectId,
      kind: schemaKindPrefix + kind.kind,
      title: auditSentence(change.description).slice(0, 255),
      state: 'running',
      payload: JSON.stringify(stored),
      principal: storedPrincipal(author.principal),
      created_by: principal.email,
    });
    await this.#tell(job.id);
    await this.#reach(`${kind.kind}.intent`);
    try {
      const finish = await kind.apply(payload, {
        ...this.#contextOf(job.id, signal),
        reach: (point) => this.#reach(`${kind.kind}.${point}`),
      });
      signal.throwIfAborted();
      await this.#reach(`${kind.kind}.applied`);
      await this.#commit(job, finish);
    } catch (error) {
      if (!(await this.#fail(job, error))) throw error;
      // Another server may have finished the job, so the generation is read from the database.
      await this.#deps.metadata.generations.poll();
    } finally {
      await this.#tell(job.id);
    }
    await this.#reach(`${kind.kind}.done`);
  }

  #contextOf(id: string, signal: AbortSignal): SchemaJobContext {
    const progress = new JobProgress(this.#tasks, id, () => this.#tell(id));
    return { signal, reach: () => Promise.resolve(), progress: (now) => progress.show(now) };
  }

  async #commit<Payload>(job: Job<Payload>, finish: FinishRows | FinishAtOnce | void): Promise<void> {
    if (finish && 'runWith' in finish) {
      const { database } = this.#deps.metadata;
      return finish.runWith(() => database.write((unit) => this.#end(job, unit), { retry: true }));
    }
    for (let tries = 1; ; tries += 1) {
      await finish?.approach();
      try {
        return await this.#commitOnce(job, finish);
      } catch (error) {
        if (!(error instanceof RowsLeft)) throw error;
        if (tries === mostApproaches) throw schemaErrors.create('TABLE_TOO_BUSY');
      }
    }
  }

  async #commitOnce<Payload>(job: Job<Payload>, finish: FinishRows | void): Promise<void> {
    const { database } = this.#deps.metadata;
    const again = { retry: true };
    if (!finish || finish.database === database) {
      await database.write((unit) => this.#end(job, unit, finish), again);
      return;
    }
    // Its writers stand still until the metadata is committed, and then see that the schema changed.
    await finish.database.write(
      async (held) => {
        // Before the metadata's transaction: it may take long, and our own database serves everybody.
        if (!(await finish.run(held))) throw new RowsLeft();
        await database.write((unit) => this.#end(job, unit), again);
      },
      { ...again, timeoutMs: longestFinish },
    );
  }

  async #end<Payload>({ id, kind, payload, change }: Job<Payload>, unit: Unit, finish?: FinishRows | void) {
    // The bump comes first: it waits for the writes of rows under way, and later ones wait for this transaction.
    await this.#deps.metadata.generations.bump(unit, change.projectId);
    const at = Date.now();
    const { changes } = await unit.run(
      unit
        .knex('trellis_task')
        .where({ id, state: 'running' })
        .update({ state: 'done', updated_at: at, finished_at: at }),
    );
    if (changes === 0) throw schemaErrors.create('SCHEMA_CHANGED');
    if (finish && !(await finish.run(unit))) throw new RowsLeft();
    await kind.commit(unit, payload);
    await this.#deps.record(unit, change);
  }

  /**
   * Takes a job back, unless it is done after all: the answer to its commit may have been lost, or another server finished it.
   * What cannot be taken back now is left to the next change of the project. True when the job is done.
   */
  async #fail<Payload>(job: Job<Payload>, error: unknown): Promise<boolean> {
    const reason = wordsFor(error);
    try {
      if (!(await this.#move(job.id, unfinished, 'reverting', reason))) return await this.#isDone(job.id);
      await job.kind.revert(job.payload);
      await this.#move(job.id, ['reverting'], isCancel(error) ? 'cancelled' : 'failed', reason);
    } catch (failure) {
      this.#deps.logger.error('A schema change failed and could not be taken back yet', {
        job: job.id,
        kind: job.kind.kind,
        error: failure,
      });
    }
    return false;
  }

  /** Moves a job on; false when it was in none of the states. */
  async #move(id: string, from: readonly string[], state: string, error: string): Promise<boolean> {
    const at = Date.now();
    const finished = state === 'reverting' ? {} : { finished_at: at };
    const { changes } = await this.#deps.metadata.database.write((unit) =>
      unit.run(
        unit
          .knex('trellis_task')
          .where({ id })
          .whereIn('state', [...from])
          .update({ state, error, updated_at: at, ...finished }),
      ),
    );
    return changes > 0;
  }

  async #isDone(id: string): Promise<boolean> {
    const row = await this.#deps.metadata.database.read((unit) =>
      unit.first(unit.knex('trellis_task').where({ id, state: 'done' }).select('id')),
    );
    return row !== undefined;
  }

  /** A failure is logged and does not fail the change: only the display of tasks misses it. */
  async #tell(id: string): Promise<void> {
    await this.#deps
      .announceTask(id)
      .catch((error: unknown) => this.#deps.logger.warn('A schema change could not be told', { error }));
  }

  /** Finishes what killed processes left, in all projects. A project that another server is changing is left to that one. */
  async resume(): Promise<void> {
    const rows = await this.#deps.metadata.database.read((unit) =>
      unit.all<{ project_id: string }>(
        unit
          .knex('trellis_task')
          .where(...isSchemaChange)
          .whereIn('state', unfinished)
          .distinct('project_id'),
      ),
    );
    for (const { project_id: projectId } of rows) {
      try {
        await this.exclusively(projectId, () => Promise.resolve());
      } catch (error) {
        this.#deps.logger.warn('Unfinished schema changes of a project are left to its next change', {
          project: projectId,
          error,
        });
      }
    }
  }

  /** Whether changes of a database were cut off that could be neither finished nor taken back yet. */
  async hasUnsettled(projectId: string, baseId: string): Promise<boolean> {
    const rows = await this.#unfinishedOf(projectId);
    return rows.some(({ payload }) => {
      const base = baseOf((JSON.parse(payload) as Partial<StoredJob>).payload ?? {});
      return base?.id === undefined || base.id === baseId;
    });
  }

  /**
   * Ends the jobs of a project that nobody works on any more: whoever holds its lease knows that their server is gone. Only inside
   * `exclusively`, which does so before its work.
   */
  async settle(projectId: string, signal: AbortSignal): Promise<void> {
    for (const row of await this.#unfinishedOf(projectId)) await this.#settleOne(row, signal);
  }

  #unfinishedOf(projectId: string): Promise<readonly JobRow[]> {
    return this.#deps.metadata.database.read((unit) =>
      unit.all<JobRow>(
        unit
          .knex('trellis_task')
          .where({ project_id: projectId })
          .where(...isSchemaChange)
          .whereIn('state', unfinished)
          .select('id', 'project_id', 'kind', 'state', 'payload')
          .orderBy(['created_at', 'id']),
      ),
    );
  }

  /** Whether a job's database was taken out of the project: nobody is left to whom what the job has made there could matter. */
  async #isOfRemovedBase(payload: unknown): Promise<boolean> {
    const { id, own } = baseOf(payload) ?? {};
    if (id === undefined || own !== false) return false;
    const { BaseModel } = await models();
    const base = await this.#deps.metadata.database.read(async (unit) =>
      BaseModel.query(unit.knex).findById(id).select('id'),
    );
    return base === undefined;
  }

  async #settleOne(row: JobRow, signal: AbortSignal): Promise<void> {
    const { logger, kinds, announce } = this.#deps;
    const about = { job: row.id, kind: row.kind };
    const stored = JSON.parse(row.payload) as StoredJob;
    if (await this.#isOfRemovedBase(stored.payload ?? {})) {
      await this.#move(row.id, unfinished, 'failed', 'The database was taken out of the project');
      await this.#tell(row.id);
      return;
    }
    const kind = kinds.find((of) => schemaKindPrefix + of.kind === row.kind) as
      SchemaJobKind<unknown> | undefined;
    if (kind === undefined) {
      logger.error('An unfinished schema change is of a kind that this version does not know', about);
      return;
    }
    const job: Job<unknown> = { id: row.id, kind, ...stored };
    if (row.state === 'reverting') {
      await this.#fail(job, new Error('cut off while it was taken back'));
      return;
    }
    try {
      const finish = await kind.apply(job.payload, this.#contextOf(row.id, signal));
      signal.throwIfAborted();
      await this.#commit(job, finish);
      logger.info('Finished a schema change that was cut off', about);
    } catch (error) {
      if (!(await this.#fail(job, error))) {
        logger.warn('Took back a schema change that was cut off', { ...about, error });
        return;
      }
    }
    const { tableId, scope } = job.change;
    announce({ projectId: row.project_id, tableId, requestId: scope.requestId });
  }
}
