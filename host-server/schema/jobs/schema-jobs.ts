import type { Logger } from '@trellis/sdk/server';
import type { Unit } from '../../sql/unit.ts';
import { newId } from '../../runtime/ids.ts';
import type { Metadata } from '../../metadata/metadata.ts';
import { isCancel, wordsFor } from '../../runtime/tasks/task-errors.ts';
import { schemaKindPrefix } from '../../runtime/tasks/task-row.ts';
import type { AnnounceSchemaChange, RecordSchemaChange, SchemaChange } from '../schema-changes.ts';
import { schemaErrors } from '../schema-errors.ts';
import { JobProgress } from './job-progress.ts';
import { baseOf, JobRows, type JobRow, type StoredJob } from './job-rows.ts';
import type { FinishAtOnce, FinishRows, SchemaJobContext, SchemaJobKind } from './schema-job-kind.ts';

/** A job to run, resume or revert. */
interface Job<Payload> {
  readonly id: string;
  readonly kind: SchemaJobKind<Payload>;
  readonly payload: Payload;
  readonly change: SchemaChange;
}

/** The facts about a job that do not depend on its kind. */
interface JobRun {
  /** The log entry, stored with the job and announced at its end. */
  readonly change: SchemaChange;
  /** The signal of `exclusively`. */
  readonly signal: AbortSignal;
}

export interface SchemaJobsDependencies {
  readonly metadata: Metadata;
  readonly logger: Logger;
  readonly kinds: readonly SchemaJobKind<never>[];
  readonly record: RecordSchemaChange;
  readonly announce: AnnounceSchemaChange;
  /** Announces the state of a task. */
  readonly announceTask: (id: string) => Promise<void>;
  /** For fault tests; does nothing by default. */
  readonly reach?: (point: string) => Promise<void>;
}

/** Milliseconds that a change waits for another one of the same project. */
const patience = 8000;
/** The most calls of `approach` before the last transaction, while people go on writing. */
const mostApproaches = 5;
/** Milliseconds for the last pass over the rows of a database whose writes are not in the log. */
const longestFinish = 10 * 60_000;

/** Rolls back the last transaction of a job when people wrote more rows than it can finish. */
class RowsLeft extends Error {}

/** Refuses the job of a database whose schema is fixed. @throws TrellisError 403 `SCHEMA_FIXED` */
function assertChangeable(payload: unknown): void {
  if (baseOf(payload)?.schemaChanges === false) throw schemaErrors.create('SCHEMA_FIXED');
}

/**
 * Runs schema changes as recorded jobs: intent, database, metadata, done. One at a time for each project, over all servers.
 *
 * A job is a task whose row is written here and not by a worker: the caller waits for it, holding the project's lease. It goes
 * from `running` to `done`, or from `reverting` to `failed`. Only one of the two can happen: a server that lost its lease cannot
 * revert a job that another one finished.
 */
export class SchemaJobs {
  readonly #deps: SchemaJobsDependencies;
  readonly #reach: (point: string) => Promise<void>;
  readonly #rows: JobRows;

  constructor(deps: SchemaJobsDependencies) {
    this.#deps = deps;
    this.#rows = new JobRows(deps.metadata);
    this.#reach = deps.reach ?? (() => Promise.resolve());
  }

  /**
   * Runs `work` while no other change of the project's schema runs, with a current schema and no unfinished jobs. Throws 409 when
   * another change takes too long.
   */
  async exclusively<T>(projectId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { leases, generations } = this.#deps.metadata;
    let isHeld = false;
    const result = await leases.hold(
      `schema:${projectId}`,
      async ({ signal }) => {
        isHeld = true;
        // Another server may have just changed the schema, and the change is planned with this server's snapshot.
        await generations.poll();
        await this.settle(projectId, signal);
        return work(signal);
      },
      { wait: patience },
    );
    if (!isHeld) throw schemaErrors.create('SCHEMA_BUSY');
    return result as T;
  }

  /** Runs one job inside `exclusively` of its project. On failure the job is reverted and the caller gets the error. */
  async run<Payload>(
    kind: SchemaJobKind<Payload>,
    payload: Payload,
    { change, signal }: JobRun,
  ): Promise<void> {
    assertChangeable(payload);
    const job: Job<Payload> = { id: newId('task'), kind, payload, change };
    await this.#rows.add(job.id, change.projectId, kind.kind, { payload, change });
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
    const progress = new JobProgress(this.#rows.tasks, id, () => this.#tell(id));
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
    // Writers of the database wait until the metadata is committed, and then see that the schema changed.
    await finish.database.write(
      async (held) => {
        // Before the transaction of the metadata: this work may take long, and everybody needs the server's own database.
        if (!(await finish.run(held))) throw new RowsLeft();
        await database.write((unit) => this.#end(job, unit), again);
      },
      { ...again, timeoutMs: longestFinish },
    );
  }

  async #end<Payload>({ id, kind, payload, change }: Job<Payload>, unit: Unit, finish?: FinishRows | void) {
    // The bump comes first: it waits for writes of rows that are under way, and later writes wait for this transaction.
    await this.#deps.metadata.generations.bump(unit, change.projectId);
    if (!(await this.#rows.end(unit, id))) throw schemaErrors.create('SCHEMA_CHANGED');
    if (finish && !(await finish.run(unit))) throw new RowsLeft();
    await kind.commit(unit, payload);
    await this.#deps.record(unit, change);
  }

  /**
   * Reverts a job, unless it turns out to be done: the answer to its commit may have been lost, or another server finished it. If
   * it cannot be reverted now, the next change of the project does so. True when the job is done.
   */
  async #fail<Payload>(job: Job<Payload>, error: unknown): Promise<boolean> {
    const reason = wordsFor(error);
    try {
      if (!(await this.#rows.beginRevert(job.id, reason))) return await this.#rows.isDone(job.id);
      await job.kind.revert(job.payload);
      await this.#rows.endReverted(job.id, isCancel(error) ? 'cancelled' : 'failed', reason);
    } catch (failure) {
      this.#deps.logger.error('A schema change failed and could not be taken back yet', {
        job: job.id,
        kind: job.kind.kind,
        error: failure,
      });
    }
    return false;
  }

  /** Announces the task. A failure is logged and does not fail the change: only the display of tasks is out of date. */
  async #tell(id: string): Promise<void> {
    await this.#deps
      .announceTask(id)
      .catch((error: unknown) => this.#deps.logger.warn('A schema change could not be told', { error }));
  }

  /** Finishes the jobs of killed processes, in all projects, except projects that another server is changing. */
  async resume(): Promise<void> {
    for (const projectId of await this.#rows.unfinishedProjects()) {
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

  /** Whether a database has cut-off changes that could be neither finished nor reverted yet. */
  async hasUnsettled(projectId: string, baseId: string): Promise<boolean> {
    const rows = await this.#rows.unfinishedOf(projectId);
    return rows.some(({ payload }) => {
      const base = baseOf((JSON.parse(payload) as Partial<StoredJob>).payload ?? {});
      return base?.id === undefined || base.id === baseId;
    });
  }

  /**
   * Ends the abandoned jobs of a project: a caller that holds the project's lease knows that their server is gone. Only inside
   * `exclusively`, which calls it before its work.
   */
  async settle(projectId: string, signal: AbortSignal): Promise<void> {
    for (const row of await this.#rows.unfinishedOf(projectId)) await this.#settleOne(row, signal);
  }

  async #settleOne(row: JobRow, signal: AbortSignal): Promise<void> {
    const { logger, kinds, announce } = this.#deps;
    const about = { job: row.id, kind: row.kind };
    const stored = JSON.parse(row.payload) as StoredJob;
    if (await this.#rows.isOfRemovedBase(stored.payload ?? {})) {
      await this.#rows.giveUp(row.id, 'The database was taken out of the project');
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
