import type { Servers } from '@trellis/sdk/server';
import { compileQuery } from '../../databases/compile-query.ts';
import type { Database } from '../../databases/database.ts';
import type { Statement, Unit } from '../../sql/unit.ts';
import { fromNow } from '../database-clock.ts';
import { finalStates, schemaKindPrefix, type TaskRow } from './task-row.ts';

/** Which run writes: a task that another run has taken over refuses it. */
export interface Hold {
  readonly id: string;
  readonly fence: number;
}

type Patch = Partial<Record<keyof TaskRow, string | number | boolean | null>>;

/** What a run writes of its task. */
interface RunPatch extends Patch {
  /** Whether the run goes on to hold the task, or leaves it to whoever comes next. */
  readonly lease?: 'kept' | 'free';
}

/** Milliseconds for which a run keeps its task without renewing. */
const lease = 6000;
/** Tasks of one project that run at once, over all servers; another project's task goes first where one waits. */
const mostOfOneProject = 2;
const mostListed = 100;

/**
 * What is stored of tasks. Every write of a run names its hold and tells whether it still had it. How long a run holds its task is
 * counted by the database's clock: the clocks of the servers may differ.
 */
export class TaskRows {
  readonly #database: Database;
  readonly #unfinished: Statement;

  constructor(database: Database) {
    this.#database = database;
    this.#unfinished = compileQuery(
      database.builder('trellis_task').whereIn('state', ['waiting', 'running']).limit(1).select('id'),
    );
  }

  /**
   * Milliseconds after which another run may have the task of one that could not renew. Undefined where a database has one writer:
   * who keeps it waits for it with its renewals, and so does everybody else with taking the task.
   */
  get lifetime(): number | undefined {
    return this.#database.dialect.statements.locksRows ? lease : undefined;
  }

  async insert(row: Patch & { readonly id: string }): Promise<TaskRow> {
    const at = Date.now();
    const whole = {
      state: 'waiting',
      done: 0,
      cancelling: false,
      fence: 0,
      lease_until: 0,
      attempts: 0,
      created_at: at,
      updated_at: at,
      ...row,
    };
    await this.#database.write((unit) => unit.run(unit.knex('trellis_task').insert(whole)));
    return this.get(row.id) as Promise<TaskRow>;
  }

  get(id: string): Promise<TaskRow | undefined> {
    return this.#database.read((unit) => unit.first<TaskRow>(unit.knex('trellis_task').where({ id })));
  }

  /**
   * The tasks of a project, or those outside of projects: unfinished ones first. Schema changes that went well are left out, since there are
   * too many, and so are tasks of quiet kinds that did not fail.
   */
  async list(projectId: string | null, quiet: readonly string[] = []): Promise<readonly TaskRow[]> {
    const [unfinished, ended] = await this.#database.read(async (unit) => {
      const of = () => unit.knex('trellis_task').where({ project_id: projectId }).limit(mostListed);
      return [
        await unit.all<TaskRow>(of().whereNotIn('state', finalStates).orderBy('created_at', 'desc')),
        await unit.all<TaskRow>(
          of()
            .whereIn('state', finalStates)
            .whereNot(
              (where) => void where.where('kind', 'like', `${schemaKindPrefix}%`).where('state', 'done'),
            )
            .whereNot((where) => void where.whereIn('kind', [...quiet]).whereNot('state', 'failed'))
            .orderBy('updated_at', 'desc'),
        ),
      ] as const;
    });
    return [...unfinished, ...ended].slice(0, mostListed);
  }

  /** Whether there is anything to claim or to free: mostly there is not. As a read of a unit this look would keep a thread of SQLite for ever. */
  async hasUnfinished(): Promise<boolean> {
    return (await this.#database.get(this.#unfinished)) !== undefined;
  }

  /**
   * Takes the next task that waits or whose run has gone silent: the oldest one of the project with the fewest running tasks.
   * Undefined when there is none, or when another server was quicker.
   */
  async claim(kinds: readonly string[], owner: string): Promise<TaskRow | undefined> {
    if (kinds.length === 0 || !(await this.hasUnfinished())) return undefined;
    const next = await this.#database.read((unit) => this.#next(unit, kinds));
    if (next === undefined) return undefined;
    const fence = Number(next.fence) + 1;
    const { changes } = await this.#database.write(
      (unit) =>
        unit.run(
          unit
            .knex('trellis_task')
            .where({ id: next.id, fence: next.fence })
            .whereNotIn('state', finalStates)
            .update({
              state: 'running',
              owner,
              fence,
              lease_until: fromNow(unit, this.#database.dialect, lease),
              attempts: next.attempts + 1,
              updated_at: Date.now(),
            }),
        ),
      { retry: true },
    );
    return changes === 0 ? undefined : this.get(next.id);
  }

  /** Frees the tasks of servers that have ended, so that the next claim finds them. */
  async freeEnded(servers: Servers): Promise<void> {
    const held = await this.#database.read((unit) =>
      unit.all<{ owner: string }>(
        unit
          .knex('trellis_task')
          .where({ state: 'running' })
          .where('lease_until', '>', 0)
          .whereNotNull('owner')
          .whereNot({ owner: servers.id })
          .distinct('owner'),
      ),
    );
    const ended = held.length === 0 ? [] : await servers.endedOf(held.map(({ owner }) => owner));
    if (ended.length === 0) return;
    await this.#database.write((unit) =>
      unit.run(
        unit
          .knex('trellis_task')
          .where({ state: 'running' })
          .whereIn('owner', [...ended])
          .update({ lease_until: 0 }),
      ),
    );
  }

  async #next(unit: Unit, kinds: readonly string[]): Promise<TaskRow | undefined> {
    const now = fromNow(unit, this.#database.dialect);
    const claimable = () =>
      unit
        .knex('trellis_task')
        .whereIn('kind', kinds)
        .where((where) => {
          void where
            .where({ state: 'waiting' })
            .orWhere((silent) => void silent.where({ state: 'running' }).where('lease_until', '<', now));
        });
    const projects = await unit.all<{ project_id: string; oldest: number | string }>(
      claimable().groupBy('project_id').select('project_id').min({ oldest: 'created_at' }),
    );
    if (projects.length === 0) return undefined;
    const running = await unit.all<{ project_id: string; count: number | string }>(
      unit
        .knex('trellis_task')
        .whereIn('kind', kinds)
        .where({ state: 'running' })
        .where('lease_until', '>=', now)
        .groupBy('project_id')
        .select('project_id')
        .count({ count: '*' }),
    );
    const runningOf = new Map(running.map((of) => [of.project_id, Number(of.count)]));
    const turn = projects
      .map((of) => ({ ...of, running: runningOf.get(of.project_id) ?? 0 }))
      .filter((of) => of.running < mostOfOneProject)
      .sort((a, b) => a.running - b.running || Number(a.oldest) - Number(b.oldest))[0];
    if (turn === undefined) return undefined;
    return unit.first<TaskRow>(
      claimable().where({ project_id: turn.project_id }).orderBy(['created_at', 'id']).limit(1),
    );
  }

  /** Keeps the task for its run and gives it as it is now; undefined when the run has lost it. */
  async renew(hold: Hold): Promise<TaskRow | undefined> {
    if (!(await this.update(hold, { lease: 'kept' }))) return undefined;
    return this.get(hold.id);
  }

  /** Writes what a run has to say; false when the run has lost the task. */
  async update({ id, fence }: Hold, { lease: kept, ...patch }: RunPatch): Promise<boolean> {
    const { changes } = await this.#database.write(
      (unit) => {
        const until = kept === 'kept' ? fromNow(unit, this.#database.dialect, lease) : 0;
        return unit.run(
          unit
            .knex('trellis_task')
            .where({ id, fence, state: 'running' })
            .update({ ...patch, ...(kept !== undefined && { lease_until: until }), updated_at: Date.now() }),
        );
      },
      { retry: true },
    );
    return changes > 0;
  }

  /** Ends a task that nobody has begun, and of which there is nothing to take back. */
  async endUnbegun(id: string): Promise<void> {
    const at = Date.now();
    await this.#database.write((unit) =>
      unit.run(
        unit
          .knex('trellis_task')
          .where({ id, state: 'waiting', attempts: 0 })
          .update({ state: 'cancelled', cancelling: true, updated_at: at, finished_at: at }),
      ),
    );
  }

  /** Asks for the end of a task. */
  async cancel(id: string): Promise<void> {
    await this.#database.write((unit) =>
      unit.run(
        unit
          .knex('trellis_task')
          .where({ id })
          .whereNotIn('state', finalStates)
          .update({ cancelling: true, updated_at: Date.now() }),
      ),
    );
  }

  /** The payloads of the unfinished tasks of a kind. */
  async payloadsOf(kind: string): Promise<readonly unknown[]> {
    const rows = await this.#database.read((unit) =>
      unit.all<{ payload: string }>(
        unit.knex('trellis_task').where({ kind }).whereNotIn('state', finalStates).select('payload'),
      ),
    );
    return rows.map(({ payload }) => JSON.parse(payload) as unknown);
  }

  /** Deletes tasks that ended before a time, a bounded number per call; gives how many there were. */
  async prune(before: number, most = 500): Promise<number> {
    return this.#database.write(async (unit) => {
      const old = await unit.all<{ id: string }>(
        unit
          .knex('trellis_task')
          .whereIn('state', finalStates)
          .where('updated_at', '<', before)
          .limit(most)
          .select('id'),
      );
      const ids = old.map(({ id }) => id);
      if (ids.length > 0) await unit.run(unit.knex('trellis_task').whereIn('id', ids).delete());
      return ids.length;
    });
  }
}
