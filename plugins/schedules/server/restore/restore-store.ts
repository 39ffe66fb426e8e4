import type { PluginDatabase, PluginUnit, ScheduledOutcome } from '@trellis/sdk/server';
import type { RestoreEntity } from '../../shared/index.ts';
import { scheduleErrors } from '../schedule-errors.ts';
import { newId } from '../schedule-store.ts';
import type { KeptFile } from './open-archive.ts';

/** A backup that somebody is about to restore, or has restored. Times are milliseconds since 1970. */
export interface Restore {
  readonly id: string;
  readonly accountId: string;
  readonly file: KeptFile;
  readonly about: RestoreEntity['about'];
  readonly state: RestoreEntity['state'];
  readonly projectId: string | undefined;
  readonly taskId: string | undefined;
  readonly message: ScheduledOutcome | undefined;
  readonly notes: readonly ScheduledOutcome[];
  readonly createdAt: number;
}

export type RestorePatch = Partial<Pick<Restore, 'state' | 'projectId' | 'taskId' | 'message' | 'notes'>>;

type Stored = Readonly<Record<string, string | number | boolean | null>>;

/** The stored restores. */
export class RestoreStore {
  readonly #db: PluginDatabase;
  readonly #now: () => number;

  constructor(db: PluginDatabase, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /**
   * Stores a restore, unless its account then has more than `most` that have not begun: concurrent servers see each other because
   * they count after storing. Undefined if it was not stored.
   *
   * @param of.runId the run that stores the file: if the file was moved to another storage meanwhile, the restore gets the run's
   *   new reference
   * @throws TrellisError 404 `SCHEDULE_FILE_GONE` if the run no longer has it
   */
  async add(
    { runId, ...of }: Pick<Restore, 'accountId' | 'file' | 'about'> & { readonly runId?: string },
    most: number,
  ): Promise<Restore | undefined> {
    let restore: Restore = {
      ...of,
      id: newId('re'),
      state: 'ready',
      projectId: undefined,
      taskId: undefined,
      message: undefined,
      notes: [],
      createdAt: this.#now(),
    };
    await this.#db.write(async (unit) => {
      if (runId !== undefined) restore = { ...restore, file: await fileOfRun(unit, runId) };
      await unit.run(
        unit.table('restore').insert({
          id: restore.id,
          account_id: restore.accountId,
          file: JSON.stringify(restore.file),
          sent: runId === undefined,
          about: JSON.stringify(restore.about),
          created_at: restore.createdAt,
          ...toRow({ state: 'ready', notes: [] }),
        }),
      );
    });
    if ((await this.ready(restore.accountId)) <= most) return restore;
    await this.remove(restore.id);
    return undefined;
  }

  async byId(id: string): Promise<Restore | undefined> {
    const row = await this.#db.read((unit) => unit.first<Stored>(unit.table('restore').where({ id })));
    return row && toRestore(row);
  }

  /** The number of an account's restores that have not begun. */
  async ready(accountId: string): Promise<number> {
    const counted = await this.#db.read((unit) =>
      unit.first<{ readonly total: number | string }>(
        unit.table('restore').where({ account_id: accountId, state: 'ready' }).count({ total: '*' }),
      ),
    );
    return Number(counted?.total ?? 0);
  }

  /**
   * Assigns a ready restore to the task that creates its project. Both the call that created the task and the task itself do this,
   * so that a running restore always has a task. False if another task has it.
   */
  async begin(id: string, by: { readonly projectId: string; readonly taskId: string }): Promise<boolean> {
    if (await this.change(id, 'ready', { state: 'running', ...by })) return true;
    return (await this.byId(id))?.taskId === by.taskId;
  }

  /** Changes a restore in a given state; false if it is in another one. */
  async change(id: string, from: Restore['state'], patch: RestorePatch): Promise<boolean> {
    const changed = await this.#db.write((unit) =>
      unit.run(unit.table('restore').where({ id, state: from }).update(toRow(patch))),
    );
    return changed > 0;
  }

  /**
   * Removes a restore that is not running, and returns it; undefined if it is running or deleted: its task owns the file and the
   * project.
   */
  async remove(id: string): Promise<Restore | undefined> {
    return this.#db.write(async (unit) => {
      const own = () => unit.table('restore').where({ id }).whereNot({ state: 'running' });
      const row = await unit.first<Stored>(own().forUpdate());
      if (row === undefined) return undefined;
      await unit.run(own().delete());
      return toRestore(row);
    });
  }

  /** Some restores that were created before a given time and are not running. */
  async old(before: number): Promise<readonly Restore[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<Stored>(
        olderThan(unit, before).whereNot({ state: 'running' }).orderBy('created_at').limit(100),
      ),
    );
    return rows.map(toRestore);
  }
}

/** The file of a run, locked until the transaction ends: moving it then finds all references. */
async function fileOfRun(unit: PluginUnit, runId: string): Promise<KeptFile> {
  const run = await unit.first<{ readonly file: string | null }>(
    unit.table('run').where({ id: runId }).forUpdate().select('file'),
  );
  if (run === undefined || run.file === null) throw scheduleErrors.create('SCHEDULE_FILE_GONE');
  const { ref, size } = JSON.parse(run.file) as KeptFile;
  return { ref, size };
}

const olderThan = (unit: PluginUnit, before: number) =>
  unit.table('restore').where('created_at', '<', before);

function toRow({ state, projectId, taskId, message, notes }: RestorePatch): Stored {
  return {
    ...(state !== undefined && { state }),
    ...(projectId !== undefined && { project_id: projectId }),
    ...(taskId !== undefined && { task_id: taskId }),
    ...(message !== undefined && { message: JSON.stringify(message) }),
    ...(notes !== undefined && { notes: JSON.stringify(notes) }),
  };
}

function toRestore(row: Stored): Restore {
  const json = <Value>(name: string) => JSON.parse(String(row[name])) as Value;
  return {
    id: String(row.id),
    accountId: String(row.account_id),
    file: json('file'),
    about: json('about'),
    state: String(row.state) as Restore['state'],
    projectId: row.project_id === null ? undefined : String(row.project_id),
    taskId: row.task_id === null ? undefined : String(row.task_id),
    message: row.message === null ? undefined : json('message'),
    notes: json('notes'),
    createdAt: Number(row.created_at),
  };
}
