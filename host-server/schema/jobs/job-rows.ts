import { auditSentence } from '@trellis/sdk/server';
import type { Metadata } from '../../metadata/metadata.ts';
import { models } from '../../metadata/models/models.ts';
import { schemaKindPrefix } from '../../runtime/tasks/task-row.ts';
import { TaskRows } from '../../runtime/tasks/task-rows.ts';
import type { Unit } from '../../sql/unit.ts';
import type { SchemaChange } from '../schema-changes.ts';

/** An unfinished job. */
export interface JobRow {
  readonly id: string;
  readonly project_id: string;
  readonly kind: string;
  readonly state: string;
  readonly payload: string;
}

/** The payload of a schema change's task. */
export interface StoredJob {
  readonly payload: unknown;
  readonly change: SchemaChange;
}

interface JobBase {
  readonly id: string;
  readonly own: boolean;
  readonly schemaChanges: boolean;
}

/** The base that a job changes; undefined for a kind of a later version that stores it in another form. */
export function baseOf(payload: unknown): Partial<JobBase> | undefined {
  return (payload as { readonly base?: Partial<JobBase> }).base;
}

const unfinished = ['running', 'reverting'];

/** The condition for tasks that are schema changes. */
const isSchemaChange = ['kind', 'like', `${schemaKindPrefix}%`] as const;

/** The rows of schema changes in the table of tasks. After `running` follows either `done` or `reverting`, even if several servers try. */
export class JobRows {
  readonly #metadata: Metadata;
  readonly tasks: TaskRows;

  constructor(metadata: Metadata) {
    this.#metadata = metadata;
    this.tasks = new TaskRows(metadata.database);
  }

  /** Records a job before it begins, with everything needed to finish or revert it. */
  async add(id: string, projectId: string, kind: string, { payload, change }: StoredJob): Promise<void> {
    const { principal, requestId } = change.scope;
    const author = { requestId, principal: { id: principal.id, email: principal.email } };
    const stored: StoredJob = { payload, change: { ...change, scope: author } };
    await this.tasks.insert({
      id,
      project_id: projectId,
      kind: schemaKindPrefix + kind,
      title: auditSentence(change.description).slice(0, 255),
      state: 'running',
      payload: JSON.stringify(stored),
      principal: JSON.stringify(author.principal),
      created_by: principal.email,
    });
  }

  /** Ends a job in the transaction that commits it; false when it is no longer running. */
  async end(unit: Unit, id: string): Promise<boolean> {
    const at = Date.now();
    const { changes } = await unit.run(
      unit
        .knex('trellis_task')
        .where({ id, state: 'running' })
        .update({ state: 'done', updated_at: at, finished_at: at }),
    );
    return changes > 0;
  }

  /** Begins to revert a job; false when it is over. */
  beginRevert(id: string, error: string): Promise<boolean> {
    return this.#move(id, unfinished, { state: 'reverting', error });
  }

  /** Ends a job that was reverted. */
  endReverted(id: string, state: 'cancelled' | 'failed', error: string): Promise<boolean> {
    return this.#move(id, ['reverting'], { state, error, finished_at: Date.now() });
  }

  /** Ends a job that has nothing left to revert. */
  giveUp(id: string, error: string): Promise<boolean> {
    return this.#move(id, unfinished, { state: 'failed', error, finished_at: Date.now() });
  }

  /** False when the job was in none of the `from` states. */
  async #move(id: string, from: readonly string[], to: Readonly<Record<string, unknown>>): Promise<boolean> {
    const { changes } = await this.#metadata.database.write((unit) =>
      unit.run(
        unit
          .knex('trellis_task')
          .where({ id })
          .whereIn('state', [...from])
          .update({ ...to, updated_at: Date.now() }),
      ),
    );
    return changes > 0;
  }

  async isDone(id: string): Promise<boolean> {
    const row = await this.#metadata.database.read((unit) =>
      unit.first(unit.knex('trellis_task').where({ id, state: 'done' }).select('id')),
    );
    return row !== undefined;
  }

  /** The ids of the projects that have unfinished jobs. */
  async unfinishedProjects(): Promise<readonly string[]> {
    const rows = await this.#metadata.database.read((unit) =>
      unit.all<{ project_id: string }>(
        unit
          .knex('trellis_task')
          .where(...isSchemaChange)
          .whereIn('state', unfinished)
          .distinct('project_id'),
      ),
    );
    return rows.map((row) => row.project_id);
  }

  /** The unfinished jobs of a project, in the order in which they began. */
  unfinishedOf(projectId: string): Promise<readonly JobRow[]> {
    return this.#metadata.database.read((unit) =>
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

  /** Whether a job's base was removed from the project, so that its changes no longer matter to anybody. */
  async isOfRemovedBase(payload: unknown): Promise<boolean> {
    const { id, own } = baseOf(payload) ?? {};
    if (id === undefined || own !== false) return false;
    const { BaseModel } = await models();
    const base = await this.#metadata.database.read(async (unit) =>
      BaseModel.query(unit.knex).findById(id).select('id'),
    );
    return base === undefined;
  }
}
