import type { Servers } from '@trellis/sdk/server';
import { compileQuery } from '../../databases/compile-query.ts';
import type { Database } from '../../databases/database.ts';
import type { Statement, Unit } from '../../sql/unit.ts';
import { fromNow } from '../database-clock.ts';
import { finalStates, schemaKindPrefix, type TaskRow } from './task-row.ts';

/** Identifies the writing run: a write is refused when another run has taken over the task. */
export interface Hold {
  readonly id: string;
  readonly fence: number;
}

type Patch = Partial<Record<keyof TaskRow, string | number | boolean | null>>;

/** The fields that a run writes to its task. */
interface RunPatch extends Patch {
  /** Whether the run keeps holding the task, or releases it. */
  readonly lease?: 'kept' | 'free';
}

/** Milliseconds for which a run holds its task without renewing. */
const lease = 6000;
/** The most tasks of one project that run at once, over all servers, while another project's task waits. */
const mostOfOneProject = 2;
const mostListed = 100;

/**
 * The stored tasks. Every write of a run names its hold, and reports whether the run still had it. The time of a hold is counted
 * by the database's clock, since the clocks of servers may differ.
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
   * Milliseconds after which another run may take a task whose run could not renew. Undefined on a database with a single writer,
   * where a write delays renewals and takeovers alike.
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
   * The tasks of a project, or those outside of projects; unfinished ones first. Successful schema changes are left out because
   * they are too many, and so are tasks of quiet kinds that did not fail.
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

  /**
   * Whether there is a task to claim or to free, which is rare. As a read of a unit this check would keep a thread of SQLite busy
   * forever.
   */
  async hasUnfinished(): Promise<boolean> {
    return (await this.#database.get(this.#unfinished)) !== undefined;
  }

  /**
   * Takes the next task that waits or whose run is silent: the oldest one of the project with the fewest running tasks. Undefined
   * if there is none, or another server took it first.
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

  /** Frees the tasks of servers that have ended, for the next claim. */
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

  /** Renews the hold of a run and returns its task; undefined when the run has lost it. */
  async renew(hold: Hold): Promise<TaskRow | undefined> {
    if (!(await this.update(hold, { lease: 'kept' }))) return undefined;
    return this.get(hold.id);
  }

  /** Writes fields of a run; false when the run has lost the task. */
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

  /** Ends a task that has not begun, so that there is nothing to revert. */
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

  /** Requests the end of a task. */
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

  /** Deletes tasks that ended before a time, a bounded number per call; returns the number. */
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
