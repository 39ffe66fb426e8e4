import type { Logger, ScheduledOutcome, Tasks } from '@trellis/sdk/server';
import type { ScheduleClock } from './clock.ts';
import { fire, runOf } from './fire.ts';
import type { Standings } from './owner.ts';
import { addRun, changeRun, unfinishedRuns, type Run, type RunStore } from './run-store.ts';
import { runKinds } from './run-kind.ts';
import { scheduleErrors } from './schedule-errors.ts';
import type { Schedule, ScheduleStore } from './schedule-store.ts';
import type { TellOwner } from './tell-owner.ts';

export interface SchedulerDependencies {
  readonly schedules: ScheduleStore;
  readonly runs: RunStore;
  readonly standings: Standings;
  readonly tasks: () => Pick<Tasks, 'start'>;
  readonly clock: ScheduleClock;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  readonly tellOwner: TellOwner;
  /** Announces that schedules of a project or their runs changed. */
  readonly changed: (projectId: string) => void;
}

/** Milliseconds between look-ups of due schedules. */
const every = 1000;
/** Milliseconds to create the task of a run; afterwards another server may create it. */
const handing = 60_000;
/** Milliseconds until the next try to create the task of a run. */
const pause = 60_000;

/**
 * Creates runs of due schedules, and tasks of the runs that may begin. All servers on one database do this: each change of a
 * schedule is made in a transaction that locks it, so that each run is created once.
 */
export class Scheduler {
  readonly #deps: SchedulerDependencies;
  #cancelNext: () => void = () => {};
  #looking: Promise<void> | undefined;
  #mustLookAgain = false;
  #isOver = false;

  constructor(deps: SchedulerDependencies) {
    this.#deps = deps;
    this.#lookLater();
  }

  /** Looks up what is to be done; if it is already doing so, once more afterwards. Resolves when it is done. */
  async look(): Promise<void> {
    this.#mustLookAgain = true;
    this.#looking ??= this.#lookUntilDone().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  /**
   * Begins a run that a person requested.
   *
   * @throws TrellisError 409 `SCHEDULE_RUN_WAITS` while such a run waits for its turn.
   */
  async runNow(schedule: Schedule): Promise<Run> {
    const { schedules, clock } = this.#deps;
    const now = clock.now();
    const run = runOf(schedule, { cause: 'person', dueAt: now, now });
    await schedules.hold(schedule.id, async (_held, unit) => {
      const unfinished = await unfinishedRuns(unit, schedule.id);
      if (unfinished.some(({ cause, state }) => cause === 'person' && state === 'waiting'))
        throw scheduleErrors.create('SCHEDULE_RUN_WAITS');
      await addRun(unit, run);
      return undefined;
    });
    await this.look();
    return (await this.#deps.runs.byId(run.id)) ?? run;
  }

  async dispose(): Promise<void> {
    this.#isOver = true;
    this.#cancelNext();
    await this.#looking;
  }

  #lookLater(): void {
    this.#cancelNext = this.#deps.clock.after(every, () => {
      void this.look();
      if (!this.#isOver) this.#lookLater();
    });
  }

  async #lookUntilDone(): Promise<void> {
    const { schedules, runs, clock, logger } = this.#deps;
    while (this.#mustLookAgain && !this.#isOver) {
      this.#mustLookAgain = false;
      try {
        for (const id of await schedules.due(clock.now())) await this.#each(id, () => this.#fire(id));
        const now = clock.now();
        for (const id of await runs.ready(now, now - handing)) await this.#each(id, () => this.#advance(id));
      } catch (error) {
        // A plugin that is being switched off may have lost its database already.
        if (!this.#isOver) logger.error('Schedules could not be looked for', { error });
      }
    }
  }

  /** An error of one schedule does not stop the others. */
  async #each(schedule: string, work: () => Promise<void>): Promise<void> {
    if (this.#isOver) return;
    try {
      await work();
    } catch (error) {
      this.#deps.logger.error('A schedule could not be run', { schedule, error });
    }
  }

  async #fire(id: string): Promise<void> {
    const { schedules, standings, clock, changed, tellOwner } = this.#deps;
    const known = await schedules.byId(id);
    if (known === undefined) return;
    const standing = await standings(known, `schedule:${id}`);
    const fired = await schedules.hold(id, (schedule, unit) => {
      const now = clock.now();
      // Another server was faster, or the schedule was changed.
      if (!schedule.active || schedule.paused !== undefined || schedule.nextAt > now) return undefined;
      if (schedule.updatedAt !== known.updatedAt) return undefined;
      return fire(unit, schedule, { standing, now });
    });
    if (fired === undefined) return;
    changed(fired.projectId);
    if (fired.paused !== undefined) await tellOwner(fired, 'paused', fired.paused);
  }

  /** Creates tasks of the runs that may begin. */
  async #advance(id: string): Promise<void> {
    const { schedules, runs, clock, changed } = this.#deps;
    const now = clock.now();
    const known = await schedules.byId(id);
    // Checked before locking: usually the run waits for another one, and nothing is to be written.
    if (known === undefined || mayBegin(known, await runs.unfinished(id), now).length === 0) return;
    const begun: Run[] = [];
    let schedule: Schedule = known;
    await schedules.hold(id, async (held, unit) => {
      schedule = held;
      for (const run of mayBegin(held, await unfinishedRuns(unit, id), now))
        begun.push(await changeRun(unit, run, { handedAt: now, taskId: undefined }));
      return undefined;
    });
    for (const run of begun) await this.#hand(schedule, run);
    if (begun.length > 0) changed(schedule.projectId);
  }

  async #hand(schedule: Schedule, run: Run): Promise<void> {
    const { runs, standings, tasks, clock, logger } = this.#deps;
    const standing = await standings(schedule, `schedule:${run.id}`);
    if (standing.kind !== 'ready') {
      const reason = standing.kind === 'away' ? undefined : standing.reason;
      await runs.change(run.id, ({ state }) =>
        state === 'waiting'
          ? { state: 'skipped', attempt: 1, endedAt: clock.now(), message: reason }
          : undefined,
      );
      if (standing.kind === 'paused') await this.pause(schedule, standing.reason);
      return;
    }
    try {
      const payload = { runId: run.id };
      const task = await tasks().start(standing.scope, {
        kind: standing.action.isLong === true ? runKinds.long : runKinds.short,
        title: schedule.input.title,
        payload,
      });
      await runs.change(run.id, ({ taskId, handedAt }) =>
        taskId === undefined && handedAt === run.handedAt ? { taskId: task.id } : undefined,
      );
    } catch (error) {
      logger.warn('A run of a schedule could not begin and is tried again', { run: run.id, error });
      await runs.change(run.id, ({ taskId }) =>
        taskId === undefined ? { handedAt: 0, notBefore: clock.now() + pause } : undefined,
      );
    }
  }

  /** Pauses a schedule with a reason, unless somebody has saved it meanwhile. */
  async pause(schedule: Schedule, paused: ScheduledOutcome): Promise<void> {
    const { id, projectId, updatedAt } = schedule;
    await this.#deps.schedules.hold(id, (held) => (held.updatedAt === updatedAt ? { paused } : undefined));
    this.#deps.changed(projectId);
    await this.#deps.tellOwner(schedule, 'paused', paused);
  }
}

/** The unfinished runs of a schedule that may begin. */
function mayBegin(schedule: Schedule, open: readonly Run[], now: number): readonly Run[] {
  const isBeside = schedule.input.overlap === 'beside';
  const isStill = !schedule.active || schedule.paused !== undefined;
  const isFree = (run: Run) =>
    run.state === 'waiting' &&
    (run.handedAt === 0 || (run.taskId === undefined && run.handedAt < now - handing));
  if (!isBeside && open.some((run) => !isFree(run))) return [];
  // Only people can begin runs of a paused schedule.
  const waiting = open.filter((run) => isFree(run) && (!isStill || run.cause === 'person'));
  if (isBeside) return waiting.filter(({ notBefore }) => notBefore <= now);
  return waiting.slice(0, 1).filter(({ notBefore }) => notBefore <= now);
}
