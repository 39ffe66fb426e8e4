import type { Logger } from '@trellis/sdk/server';
import type { Unit } from '../databases/database.ts';
import { newId } from '../metadata/ids.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { schemaErrors } from './schema-errors.ts';

/**
 * One kind of schema change. The payload says everything, so that a job cut off at any point is simply run again.
 *
 * `apply` changes the database (each part may be run again), `commit` the metadata in the transaction that also ends the job,
 * `revert` takes `apply` back as far as it came.
 */
export interface SchemaJobKind<Payload> {
  readonly kind: string;
  apply(payload: Payload, context: SchemaJobContext): Promise<void>;
  commit(unit: Unit, payload: Payload): Promise<void>;
  revert(payload: Payload): Promise<void>;
}

export interface SchemaJobContext {
  readonly signal: AbortSignal;
  /** Named points at which tests end the process. */
  reach(point: string): Promise<void>;
}

/** What else is written in the job's last transaction: the change record and the audit entry. */
export type AlongsideCommit = (unit: Unit) => Promise<void>;

interface JobRow {
  readonly id: string;
  readonly project_id: string;
  readonly kind: string;
  readonly payload: string;
}

export interface SchemaJobsDependencies {
  readonly metadata: Metadata;
  readonly logger: Logger;
  readonly kinds: readonly SchemaJobKind<never>[];
  /** For fault tests; does nothing by default. */
  readonly reach?: (point: string) => Promise<void>;
}

/** Milliseconds that a change waits for another one of the same project. */
const patience = 8000;

/** Runs schema changes as recorded jobs: intent, database, metadata, done. One at a time for each project, over all servers. */
export class SchemaJobs {
  readonly #deps: SchemaJobsDependencies;
  readonly #reach: (point: string) => Promise<void>;

  constructor(deps: SchemaJobsDependencies) {
    this.#deps = deps;
    this.#reach = deps.reach ?? (() => Promise.resolve());
  }

  /** Gives `work` the project's schema for itself; 409 when somebody else keeps it for too long. */
  async exclusively<T>(projectId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { leases } = this.#deps.metadata;
    let isHeld = false;
    const result = await leases.hold(
      `schema:${projectId}`,
      ({ signal }) => {
        isHeld = true;
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
    alongside: AlongsideCommit,
  ): Promise<void> {
    const { database } = this.#deps.metadata;
    const id = newId('job');
    const at = Date.now();
    await database.write((unit) =>
      unit.run(
        unit.knex('trellis_job').insert({
          id,
          project_id: projectId,
          kind: kind.kind,
          state: 'running',
          step: 0,
          payload: JSON.stringify(payload),
          created_at: at,
          updated_at: at,
        }),
      ),
    );
    await this.#reach(`${kind.kind}.intent`);
    try {
      await kind.apply(payload, { signal, reach: (point) => this.#reach(`${kind.kind}.${point}`) });
      signal.throwIfAborted();
    } catch (error) {
      await this.#fail(id, kind, payload, error);
      throw error;
    }
    await this.#reach(`${kind.kind}.applied`);
    await this.#commit(id, projectId, kind, payload, alongside);
    await this.#reach(`${kind.kind}.done`);
  }

  async #commit<Payload>(
    id: string,
    projectId: string,
    kind: SchemaJobKind<Payload>,
    payload: Payload,
    alongside: AlongsideCommit,
  ): Promise<void> {
    const { database, generations } = this.#deps.metadata;
    await database.write(async (unit) => {
      const { changes } = await unit.run(
        unit
          .knex('trellis_job')
          .where({ id, state: 'running' })
          .update({ state: 'done', updated_at: Date.now() }),
      );
      if (changes === 0) throw schemaErrors.create('SCHEMA_CHANGED');
      await kind.commit(unit, payload);
      await alongside(unit);
      await generations.bump(unit, projectId);
    });
  }

  async #fail<Payload>(
    id: string,
    kind: SchemaJobKind<Payload>,
    payload: Payload,
    error: unknown,
  ): Promise<void> {
    await kind.revert(payload);
    const reason = error instanceof Error ? error.message : String(error);
    await this.#deps.metadata.database.write((unit) =>
      unit.run(
        unit
          .knex('trellis_job')
          .where({ id, state: 'running' })
          .update({ state: 'failed', error: reason, updated_at: Date.now() }),
      ),
    );
  }

  /** Finishes what a killed process left: each unfinished job is run again, or taken back when that fails. */
  async resume(): Promise<void> {
    const { database } = this.#deps.metadata;
    const rows = await database.read((unit) =>
      unit.all<JobRow>(
        unit
          .knex('trellis_job')
          .where({ state: 'running' })
          .select('id', 'project_id', 'kind', 'payload')
          .orderBy('created_at'),
      ),
    );
    for (const row of rows) await this.#resumeOne(row);
  }

  async #resumeOne(row: JobRow): Promise<void> {
    const kind = this.#deps.kinds.find((of) => of.kind === row.kind) as SchemaJobKind<unknown> | undefined;
    if (kind === undefined) {
      this.#deps.logger.error('An unfinished schema change is of a kind that this version does not know', {
        job: row.id,
      });
      return;
    }
    const payload: unknown = JSON.parse(row.payload);
    await this.exclusively(row.project_id, async (signal) => {
      // Its own server may have ended it while we waited.
      if (!(await this.#isRunning(row.id))) return;
      try {
        await kind.apply(payload, { signal, reach: () => Promise.resolve() });
        await this.#commit(row.id, row.project_id, kind, payload, () => Promise.resolve());
        this.#deps.logger.info('Finished a schema change that was cut off', { job: row.id, kind: row.kind });
      } catch (error) {
        await this.#fail(row.id, kind, payload, error);
        this.#deps.logger.warn('Took back a schema change that was cut off', {
          job: row.id,
          kind: row.kind,
          error,
        });
      }
    });
  }

  async #isRunning(id: string): Promise<boolean> {
    const row = await this.#deps.metadata.database.read((unit) =>
      unit.first(unit.knex('trellis_job').where({ id, state: 'running' }).select('id')),
    );
    return row !== undefined;
  }
}
