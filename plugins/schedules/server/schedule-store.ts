import { createHash, randomBytes } from 'node:crypto';
import {
  keptPrincipal,
  type PluginDatabase,
  type PluginUnit,
  type Principal,
  type ScheduledOutcome,
  type Secrets,
} from '@trellis/sdk/server';
import type { ScheduleInput } from '../shared/index.ts';

/** A schedule. Times are milliseconds since 1970. */
export interface Schedule {
  readonly id: string;
  readonly projectId: string;
  /** Whose rights its runs have. */
  readonly owner: Principal;
  /** The key of a plugin's schedule; empty for those of people. */
  readonly keptFor: string;
  readonly input: ScheduleInput;
  readonly active: boolean;
  /** Why it is paused. */
  readonly paused: ScheduledOutcome | undefined;
  readonly nextAt: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type SchedulePatch = Partial<
  Pick<Schedule, 'owner' | 'input' | 'active' | 'paused' | 'nextAt' | 'updatedAt'>
>;

interface ScheduleRow {
  readonly id: string;
  readonly project_id: string;
  readonly owner: string;
  readonly kept_for: string;
  readonly sealed: string;
  readonly active: boolean | number | string;
  readonly paused: string | null;
  readonly next_at: number | string;
  readonly created_at: number | string;
  readonly updated_at: number | string;
}

const purpose = 'schedules';
const digits = '0123456789abcdefghijklmnopqrstuvwxyz';

/** A prefix and 14 letters or digits. */
export function newId(prefix: string): string {
  return `${prefix}_${Array.from(randomBytes(14), (byte) => digits[byte % digits.length]).join('')}`;
}

/** The id of the schedule of a plugin's action and key. */
export function keptId(projectId: string, action: string, key: string): string {
  const of = createHash('sha256').update(JSON.stringify([projectId, action, key]));
  return `sc_${of.digest('hex').slice(0, 32)}`;
}

/** The schedules of projects. */
export class ScheduleStore {
  readonly #db: PluginDatabase;
  readonly #secrets: Secrets;

  constructor(db: PluginDatabase, secrets: Secrets) {
    this.#db = db;
    this.#secrets = secrets;
  }

  async byId(id: string): Promise<Schedule | undefined> {
    const row = await this.#db.read((unit) => unit.first<ScheduleRow>(unit.table('schedule').where({ id })));
    return row && this.#toSchedule(row);
  }

  /** Those of people, sorted by creation. */
  async ofProject(projectId: string): Promise<readonly Schedule[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<ScheduleRow>(
        unit.table('schedule').where({ project_id: projectId, kept_for: '' }).orderBy(['created_at', 'id']),
      ),
    );
    return rows.map((row) => this.#toSchedule(row));
  }

  /** The ids of those that are due. */
  async due(now: number): Promise<readonly string[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<{ id: string }>(
        unit
          .table('schedule')
          .where({ active: true })
          .whereNull('paused')
          .where('next_at', '<=', now)
          .orderBy('next_at')
          .limit(100)
          .select('id'),
      ),
    );
    return rows.map(({ id }) => id);
  }

  async add(schedule: Schedule): Promise<void> {
    const row = {
      id: schedule.id,
      project_id: schedule.projectId,
      kept_for: schedule.keptFor,
      created_at: schedule.createdAt,
      ...this.#values(schedule),
    };
    await this.#db.write((unit) => unit.run(unit.table('schedule').insert(row)));
  }

  /**
   * Locks a schedule on all servers, and applies the patch that `work` returns in the same transaction. Undefined if it was deleted
   * or there is no patch.
   */
  async hold(
    id: string,
    work: (
      schedule: Schedule,
      unit: PluginUnit,
    ) => SchedulePatch | undefined | Promise<SchedulePatch | undefined>,
  ): Promise<Schedule | undefined> {
    return this.#db.write(async (unit) => {
      const row = await unit.first<ScheduleRow>(unit.table('schedule').where({ id }).forUpdate());
      if (row === undefined) return undefined;
      const before = this.#toSchedule(row);
      const patch = await work(before, unit);
      if (patch === undefined) return undefined;
      const after: Schedule = { ...before, ...patch };
      await unit.run(unit.table('schedule').where({ id }).update(this.#values(after)));
      return after;
    });
  }

  /** Deletes it with its runs. Returns their files, or undefined if it did not exist. */
  async remove(id: string): Promise<readonly string[] | undefined> {
    return this.#db.write(async (unit) => {
      const files = await forgetRuns(unit, { schedule_id: id });
      return (await unit.run(unit.table('schedule').where({ id }).delete())) > 0 ? files : undefined;
    });
  }

  /** Returns the files of its runs. */
  async forgetProject(projectId: string): Promise<readonly string[]> {
    return this.#db.write(async (unit) => {
      const files = await forgetRuns(unit, { project_id: projectId });
      await unit.run(unit.table('schedule').where({ project_id: projectId }).delete());
      return files;
    });
  }

  #values({ owner, input, active, paused, nextAt, updatedAt }: Schedule) {
    return {
      owner: JSON.stringify(keptPrincipal(owner)),
      owner_id: owner.id,
      action: input.action,
      sealed: this.#secrets.encrypt(purpose, JSON.stringify(input)),
      active,
      paused: paused === undefined ? null : JSON.stringify(paused),
      next_at: nextAt,
      updated_at: updatedAt,
    };
  }

  #toSchedule(row: ScheduleRow): Schedule {
    return {
      id: row.id,
      projectId: row.project_id,
      owner: JSON.parse(row.owner) as Principal,
      keptFor: row.kept_for,
      input: JSON.parse(this.#secrets.decrypt(purpose, row.sealed)) as ScheduleInput,
      active: Number(row.active) === 1,
      paused: row.paused === null ? undefined : (JSON.parse(row.paused) as ScheduledOutcome),
      nextAt: Number(row.next_at),
      createdAt: Number(row.created_at),
      updatedAt: Number(row.updated_at),
    };
  }
}

async function forgetRuns(
  unit: PluginUnit,
  where: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  // Locked: a file that is moved to another storage meanwhile has a new reference.
  const kept = await unit.all<{ file: string }>(
    unit.table('run').where(where).whereNotNull('file').forUpdate().select('file'),
  );
  await unit.run(unit.table('run').where(where).delete());
  return kept.map(({ file }) => (JSON.parse(file) as { readonly ref: string }).ref);
}
