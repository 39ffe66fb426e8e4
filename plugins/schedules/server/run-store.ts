import type { PluginDatabase, PluginUnit, ScheduledOutcome, StoredFile } from '@trellis/sdk/server';
import type { RunEntity, RunState } from '../shared/index.ts';
import { newId } from './schedule-store.ts';

/** An attempt that ended. Times are milliseconds since 1970. */
export interface Attempt {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: RunEntity['attempts'][number]['outcome'];
  readonly message: ScheduledOutcome;
}

/** A run of a schedule. */
export interface Run {
  readonly id: string;
  readonly scheduleId: string;
  readonly projectId: string;
  readonly cause: RunEntity['cause'];
  readonly dueAt: number;
  readonly state: RunState;
  readonly taskId: string | undefined;
  /** Since when a task is running or being created; 0 for a run that waits for its turn. */
  readonly handedAt: number;
  readonly notBefore: number;
  /** The number of the attempt; for a skipped run, how many runs were skipped. */
  readonly attempt: number;
  readonly cancelling: boolean;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly message: ScheduledOutcome | undefined;
  readonly attempts: readonly Attempt[];
  readonly file: StoredFile | undefined;
  readonly createdAt: number;
}

type Stored = Readonly<Record<string, string | number | boolean | null>>;
export type RunPatch = Partial<Omit<Run, 'id' | 'scheduleId' | 'projectId' | 'createdAt'>>;

const unfinished = ['waiting', 'running'];

/** The stored runs of schedules. */
export class RunStore {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  async byId(id: string): Promise<Run | undefined> {
    const row = await this.#db.read((unit) => unit.first<Stored>(unit.table('run').where({ id })));
    return row && toRun(row);
  }

  /** The newest first. */
  async log(
    scheduleId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly list: readonly Run[]; readonly total: number }> {
    return this.#db.read(async (unit) => {
      const of = () => unit.table('run').where({ schedule_id: scheduleId });
      const rows = await unit.all<Stored>(
        of()
          .orderBy([
            { column: 'created_at', order: 'desc' },
            { column: 'due_at', order: 'desc' },
            { column: 'id', order: 'desc' },
          ])
          .limit(page.limit)
          .offset(page.offset),
      );
      const counted = await unit.first<{ total: number | string }>(of().count({ total: '*' }));
      return { list: rows.map(toRun), total: Number(counted?.total ?? 0) };
    });
  }

  /** The schedules of runs that may begin, and of runs whose server ended before their task was created. */
  async ready(now: number, handedBefore: number): Promise<readonly string[]> {
    return this.#db.read(async (unit) => {
      const of = () => unit.table('run').where({ state: 'waiting' }).distinct('schedule_id').limit(100);
      const rows = [
        ...(await unit.all<Stored>(of().where({ handed_at: 0 }).where('not_before', '<=', now))),
        ...(await unit.all<Stored>(of().whereNull('task_id').whereBetween('handed_at', [1, handedBefore]))),
      ];
      return [...new Set(rows.map(({ schedule_id }) => String(schedule_id)))];
    });
  }

  /** Changes a run atomically; returns the changed run, or undefined if it was deleted or `patch` returns undefined. */
  async change(id: string, patch: (run: Run) => RunPatch | undefined): Promise<Run | undefined> {
    return this.#db.write(async (unit) => {
      const row = await unit.first<Stored>(unit.table('run').where({ id }).forUpdate());
      if (row === undefined) return undefined;
      const run = toRun(row);
      const changes = patch(run);
      return changes && changeRun(unit, run, changes);
    });
  }

  async add(run: Run): Promise<void> {
    await this.#db.write((unit) => addRun(unit, run));
  }

  async unfinished(scheduleId: string): Promise<readonly Run[]> {
    return this.#db.read((unit) => unfinishedRuns(unit, scheduleId));
  }

  async newest(scheduleId: string): Promise<Run | undefined> {
    return this.#db.read((unit) => newestRun(unit, scheduleId));
  }

  /**
   * Keeps the files of the newest runs of a schedule that have one, and returns the others, which their runs no longer reference.
   */
  async dropFiles(scheduleId: string, newest: number): Promise<readonly string[]> {
    return this.#db.write(async (unit) => {
      const of = () => unit.table('run').where({ schedule_id: scheduleId });
      // Locked: a file that is moved to another storage meanwhile has a new reference.
      const kept = await unit.all<{ readonly id: string; readonly file: string }>(
        of()
          .whereNotNull('file')
          .forUpdate()
          .orderBy([
            { column: 'created_at', order: 'desc' },
            { column: 'due_at', order: 'desc' },
            { column: 'id', order: 'desc' },
          ])
          .select('id', 'file'),
      );
      const gone = kept.slice(Math.max(1, newest));
      if (gone.length > 0)
        await unit.run(
          of()
            .whereIn(
              'id',
              gone.map(({ id }) => id),
            )
            .update({ file: null }),
        );
      return gone.map(({ file }) => (JSON.parse(file) as StoredFile).ref);
    });
  }

  /** Deletes ended runs that are older than `before`, and for each schedule all but the newest `most`. Returns their files. */
  async prune(before: number, most: number): Promise<readonly string[]> {
    const files = await this.#forget((unit) => unit.table('run').where('created_at', '<', before));
    const counted = await this.#db.read((unit) =>
      unit.all<Stored>(unit.table('run').groupBy('schedule_id').count({ total: '*' }).select('schedule_id')),
    );
    for (const { schedule_id, total } of counted) {
      if (Number(total) <= most) continue;
      const of = (unit: PluginUnit) => unit.table('run').where({ schedule_id });
      const last = await this.#db.read((unit) =>
        unit.first<Stored>(of(unit).orderBy('created_at', 'desc').offset(most).limit(1).select('created_at')),
      );
      if (last === undefined) continue;
      files.push(
        ...(await this.#forget((unit) => of(unit).where('created_at', '<=', Number(last.created_at)))),
      );
    }
    return files;
  }

  async #forget(which: (unit: PluginUnit) => ReturnType<PluginUnit['table']>): Promise<string[]> {
    return this.#db.write(async (unit) => {
      const gone = () => which(unit).whereNotIn('state', unfinished);
      // Locked, as in `dropFiles`.
      const kept = await unit.all<{ file: string }>(gone().whereNotNull('file').forUpdate().select('file'));
      await unit.run(gone().delete());
      return kept.map(({ file }) => (JSON.parse(file) as StoredFile).ref);
    });
  }
}

/** A new run, not stored yet. */
export function newRun(
  of: Pick<Run, 'scheduleId' | 'projectId' | 'cause' | 'dueAt' | 'createdAt'> & RunPatch,
): Run {
  return {
    id: newId('sr'),
    state: 'waiting',
    taskId: undefined,
    handedAt: 0,
    notBefore: 0,
    attempt: 0,
    cancelling: false,
    startedAt: undefined,
    endedAt: undefined,
    message: undefined,
    attempts: [],
    file: undefined,
    ...of,
  };
}

export async function addRun(unit: PluginUnit, run: Run): Promise<void> {
  const { id, scheduleId, projectId, createdAt } = run;
  const row = { id, schedule_id: scheduleId, project_id: projectId, created_at: createdAt, ...valuesOf(run) };
  await unit.run(unit.table('run').insert(row));
}

export async function changeRun(unit: PluginUnit, run: Run, patch: RunPatch): Promise<Run> {
  const after: Run = { ...run, ...patch };
  await unit.run(unit.table('run').where({ id: run.id }).update(valuesOf(after)));
  return after;
}

/** The unfinished runs of a schedule, in the order in which they are to run. */
export async function unfinishedRuns(unit: PluginUnit, scheduleId: string): Promise<readonly Run[]> {
  const rows = await unit.all<Stored>(
    unit
      .table('run')
      .where({ schedule_id: scheduleId })
      .whereIn('state', unfinished)
      .orderBy(['due_at', 'created_at', 'id']),
  );
  return rows.map(toRun);
}

/** The newest run of a schedule. */
export async function newestRun(unit: PluginUnit, scheduleId: string): Promise<Run | undefined> {
  const row = await unit.first<Stored>(
    unit
      .table('run')
      .where({ schedule_id: scheduleId })
      .orderBy([
        { column: 'created_at', order: 'desc' },
        { column: 'due_at', order: 'desc' },
      ])
      .limit(1),
  );
  return row && toRun(row);
}

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

function valuesOf(run: Run) {
  return {
    cause: run.cause,
    due_at: run.dueAt,
    state: run.state,
    task_id: run.taskId ?? null,
    handed_at: run.handedAt,
    not_before: run.notBefore,
    attempt: run.attempt,
    cancelling: run.cancelling,
    started_at: run.startedAt ?? null,
    ended_at: run.endedAt ?? null,
    message: json(run.message),
    attempts: JSON.stringify(run.attempts),
    file: json(run.file),
  };
}

function toRun(row: Stored): Run {
  const moment = (value: Stored[string] | undefined) =>
    value === null || value === undefined ? undefined : Number(value);
  const parsed = <T>(value: Stored[string] | undefined) =>
    typeof value === 'string' ? (JSON.parse(value) as T) : undefined;
  return {
    id: String(row.id),
    scheduleId: String(row.schedule_id),
    projectId: String(row.project_id),
    cause: row.cause as Run['cause'],
    dueAt: Number(row.due_at),
    state: row.state as RunState,
    taskId: row.task_id === null ? undefined : String(row.task_id),
    handedAt: Number(row.handed_at),
    notBefore: Number(row.not_before),
    attempt: Number(row.attempt),
    cancelling: Number(row.cancelling) === 1,
    startedAt: moment(row.started_at),
    endedAt: moment(row.ended_at),
    message: parsed<ScheduledOutcome>(row.message),
    attempts: parsed<readonly Attempt[]>(row.attempts) ?? [],
    file: parsed<StoredFile>(row.file),
    createdAt: Number(row.created_at),
  };
}
