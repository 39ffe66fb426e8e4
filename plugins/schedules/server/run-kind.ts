import {
  FilesToken,
  SchemaStoreToken,
  type ScheduledAction,
  type ScheduledOutcome,
  type ScheduledRun,
  type ServerPluginContext,
  type TaskContext,
  type TaskKind,
} from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import type { ScheduleClock } from './clock.ts';
import type { Standings } from './owner.ts';
import type { Attempt, Run, RunPatch, RunStore } from './run-store.ts';
import { scheduleErrors, wordsOf } from './schedule-errors.ts';
import type { TellOwner } from './tell-owner.ts';
import type { Schedule, ScheduleStore } from './schedule-store.ts';

/** The kinds of tasks for runs, by whether their action may take hours. */
export const runKinds = { short: 'schedules.run', long: 'schedules.long-run' } as const;

const minute = 60_000;
const largestFile = 1024 * 1024 * 1024;

interface Payload {
  readonly runId: string;
}

export interface RunKindDependencies {
  readonly schedules: ScheduleStore;
  readonly runs: RunStore;
  readonly standings: Standings;
  readonly clock: ScheduleClock;
  readonly changed: (projectId: string) => void;
  /** Called when a run ended or waits for its next attempt: others may begin. */
  readonly didEnd: () => void;
  readonly pause: (schedule: Schedule, reason: ScheduledOutcome) => Promise<void>;
  readonly tellOwner: TellOwner;
  /** Removes the files that nothing references any more; failures are logged. */
  readonly removeFiles: (refs: readonly string[]) => Promise<void>;
}

/** Rejects with the signal's reason when it aborts. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/** The kinds of tasks that work on runs; they differ only in the places that they take. */
export function createRunKinds(
  ctx: ServerPluginContext,
  deps: RunKindDependencies,
): readonly TaskKind<Payload>[] {
  const kind = createRunKind(ctx, deps);
  return [kind, { ...kind, id: runKinds.long, isLong: true }];
}

/**
 * Works on one run. If its server ended, another one runs the task again: the state of the run then shows that its last attempt was
 * interrupted.
 */
export function createRunKind(ctx: ServerPluginContext, deps: RunKindDependencies): TaskKind<Payload> {
  const { schedules, runs, standings, clock, changed, didEnd, pause, removeFiles, tellOwner } = deps;

  /** Begins an attempt; undefined if there is nothing to do. */
  async function begin(schedule: Schedule, runId: string, taskId: string): Promise<Run | undefined> {
    const { retries } = schedule.input;
    const now = clock.now();
    const begun = await runs.change(runId, (run): RunPatch | undefined => {
      if (run.taskId !== undefined && run.taskId !== taskId) return undefined;
      const next: RunPatch = {
        state: 'running',
        taskId,
        attempt: run.attempt + 1,
        startedAt: now,
        message: undefined,
      };
      if (run.state === 'waiting' && run.handedAt > 0) return run.cancelling ? cancelled(run, now) : next;
      if (run.state !== 'running') return undefined;
      const cut = endedAttempt(run, now, 'cut-off', wordsOf(scheduleErrors.create('SCHEDULE_CUT_OFF')));
      return run.attempt <= retries ? { ...next, attempts: cut.attempts } : { state: 'cut-off', ...cut };
    });
    if (begun !== undefined) changed(begun.projectId);
    if (begun?.state === 'running') return begun;
    didEnd();
    if (begun?.state === 'cut-off' && begun.message !== undefined)
      await tellOwner(schedule, 'failed', begun.message);
    return undefined;
  }

  /** Ends the attempt, unless another server has begun one since. */
  async function end(schedule: Schedule, of: Run, patch: (run: Run) => RunPatch): Promise<void> {
    const ended = await runs.change(of.id, (run) =>
      run.state === 'running' && run.taskId === of.taskId && run.attempt === of.attempt
        ? patch(run)
        : undefined,
    );
    if (ended === undefined) return;
    changed(ended.projectId);
    didEnd();
    if (ended.state === 'failed' && ended.message !== undefined)
      await tellOwner(schedule, 'failed', ended.message);
  }

  async function attempt(
    schedule: Schedule,
    run: Run,
    { signal, logger }: TaskContext<Payload>,
  ): Promise<void> {
    const standing = await standings(schedule, `schedule:${run.id}`);
    if (standing.kind !== 'ready') {
      const reason =
        standing.kind === 'away' ? wordsOf(scheduleErrors.create('SCHEDULE_NOT_FOUND')) : standing.reason;
      await end(schedule, run, (now) => ({
        state: 'failed',
        ...endedAttempt(now, clock.now(), 'failed', reason),
      }));
      if (standing.kind === 'paused') await pause(schedule, reason);
      return;
    }
    const late = new AbortController();
    const { limit_minutes: minutes, retries, retry_minutes } = schedule.input;
    const callOff = clock.after(minutes * minute, () =>
      late.abort(scheduleErrors.create('SCHEDULE_TIME_OUT', { minutes })),
    );
    const both = AbortSignal.any([signal, late.signal]);
    try {
      const call = await callOf(schedule, run, {
        scope: standing.scope,
        action: standing.action,
        signal: both,
        logger,
      });
      const outcome = await Promise.race([standing.action.run(call), aborted(both)]);
      await end(schedule, run, (now) => ({
        state: 'done',
        ...endedAttempt(now, clock.now(), 'done', outcome),
      }));
    } catch (error) {
      if (signal.aborted) {
        const { reason } = signal as { readonly reason: unknown };
        if (reason instanceof TrellisError && reason.code === 'TASK_CANCELLED')
          await end(schedule, run, (now) => cancelled(now, clock.now()));
        // Otherwise the next server finds the run unchanged, and recognises the interruption.
        throw error;
      }
      if (!(error instanceof TrellisError)) logger.warn('A run of a schedule failed', { run: run.id, error });
      const at = clock.now();
      await end(schedule, run, (now) => {
        const failed = endedAttempt(now, at, 'failed', wordsOf(error));
        if (now.attempt > retries) return { state: 'failed', ...failed };
        const notBefore = at + retry_minutes * minute;
        return { ...failed, state: 'waiting', taskId: undefined, handedAt: 0, notBefore, endedAt: undefined };
      });
    } finally {
      callOff();
    }
  }

  async function callOf(
    schedule: Schedule,
    run: Run,
    {
      scope,
      action,
      signal,
      logger,
    }: Pick<ScheduledRun, 'scope' | 'signal' | 'logger'> & {
      readonly action: ScheduledAction;
    },
  ): Promise<ScheduledRun> {
    const { table_id, view_id, title, time_zone, settings } = schedule.input;
    const handle =
      action.target === 'view'
        ? await ctx.get(SchemaStoreToken).open(scope, table_id ?? '', view_id ?? undefined)
        : undefined;
    if (action.permission !== undefined) (handle?.scope ?? scope).require(action.permission);
    return {
      runId: run.id,
      attempt: run.attempt,
      dueAt: run.dueAt,
      schedule: { id: schedule.id, title, timeZone: time_zone },
      settings,
      scope,
      handle,
      signal,
      logger,
      async tell(progress) {
        const told = await runs.change(run.id, (now) =>
          now.state === 'running' && now.attempt === run.attempt ? { message: progress } : undefined,
        );
        if (told !== undefined) changed(told.projectId);
      },
      async keepFile(content, facts, { newest } = {}) {
        const files = ctx.get(FilesToken);
        const file = await files.put(content, facts, { limit: largestFile, signal });
        let former: string | undefined;
        const kept = await runs.change(run.id, (now) => {
          if (now.state !== 'running' || now.attempt !== run.attempt) return undefined;
          former = now.file?.ref;
          return { file };
        });
        if (kept === undefined) return files.remove(file.ref);
        if (former !== undefined) await removeFiles([former]);
        if (newest !== undefined) await removeFiles(await runs.dropFiles(schedule.id, newest));
      },
    };
  }

  return {
    id: runKinds.short,
    permission: 'scheduleRun',
    isQuiet: true,
    async run(context) {
      const { runId } = context.payload;
      const known = await runs.byId(runId);
      const schedule = known && (await schedules.byId(known.scheduleId));
      if (schedule === undefined) return null;
      const run = await begin(schedule, runId, context.taskId);
      if (run !== undefined) await attempt(schedule, run, context);
      return null;
    },
    async cleanUp({ payload, taskId }) {
      const now = clock.now();
      const ended = await runs.change(payload.runId, (run) => {
        if (run.taskId !== undefined && run.taskId !== taskId) return undefined;
        if (run.state !== 'waiting' && run.state !== 'running') return undefined;
        if (run.cancelling || run.state === 'waiting') return cancelled(run, now);
        // No server could finish it, in any attempt.
        const reason = wordsOf(scheduleErrors.create('SCHEDULE_CUT_OFF'));
        return { state: 'cut-off', ...endedAttempt(run, now, 'cut-off', reason) };
      });
      if (ended === undefined) return;
      changed(ended.projectId);
      didEnd();
      const schedule = ended.state === 'cut-off' ? await schedules.byId(ended.scheduleId) : undefined;
      if (schedule !== undefined && ended.message !== undefined)
        await tellOwner(schedule, 'failed', ended.message);
    },
  };
}

/** The changes of a run that a person cancelled. */
export function cancelled(run: Run, now: number): RunPatch {
  const message = wordsOf(scheduleErrors.create('SCHEDULE_CANCELLED'));
  if (run.state !== 'running') return { state: 'cancelled', endedAt: now, message };
  return { state: 'cancelled', ...endedAttempt(run, now, 'cancelled', message) };
}

/** The stored record of an attempt that ended. */
function endedAttempt(
  { startedAt, attempts }: Run,
  endedAt: number,
  outcome: Attempt['outcome'],
  message: ScheduledOutcome,
): Pick<Run, 'endedAt' | 'message' | 'attempts'> {
  const attempt: Attempt = { startedAt: startedAt ?? endedAt, endedAt, outcome, message };
  return { endedAt, message, attempts: [...attempts, attempt] };
}
