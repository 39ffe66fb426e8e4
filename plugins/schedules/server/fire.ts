import type { PluginUnit, ScheduledOutcome } from '@trellis/sdk/server';
import { nextRuns, readTimePlan, runsBetween } from '@trellis/sdk/shared';
import { mostMadeUp } from '../shared/index.ts';
import type { Standing } from './owner.ts';
import { addRun, changeRun, newestRun, newRun, unfinishedRuns, type Run } from './run-store.ts';
import { scheduleErrors, wordsOf } from './schedule-errors.ts';
import type { Schedule, SchedulePatch } from './schedule-store.ts';

/** Milliseconds after which a run that did not begin counts as missed. */
const patience = 60_000;
/** The most missed runs that are counted. */
const mostCounted = 1000;

/** When a schedule runs next; undefined if never. */
export function nextOf({ input }: Pick<Schedule, 'input'>, after: number): number | undefined {
  const read = readTimePlan(input);
  return read.ok ? nextRuns(read.plan, read.zone, after, 1)[0] : undefined;
}

/** Stores the due runs, or that they were skipped, and returns the next time. Runs in a transaction that locks the schedule. */
export async function fire(
  unit: PluginUnit,
  schedule: Schedule,
  { standing, now }: { readonly standing: Standing; readonly now: number },
): Promise<SchedulePatch> {
  const { missed: policy } = schedule.input;
  const read = readTimePlan(schedule.input);
  // A later release of the time zones may lack one of an earlier release.
  if (!read.ok) return { paused: { msg: read.problem.message, params: read.problem.params } };
  const nextAt = nextRuns(read.plan, read.zone, now, 1)[0] ?? Number.MAX_SAFE_INTEGER;
  if (standing.kind === 'paused') return { paused: standing.reason, nextAt };
  const due = runsBetween(read.plan, read.zone, { from: schedule.nextAt, to: now, most: mostCounted });
  const last = due.at(-1);
  if (standing.kind === 'away' || last === undefined) return { nextAt };
  if (standing.kind === 'off') {
    await passOver(unit, schedule, { dueAt: last, now, reason: standing.reason, times: due.length });
    return { nextAt };
  }
  const isOnTime = now - last <= patience;
  const missed = isOnTime ? due.slice(0, -1) : due;
  const overdue = wordsOf(scheduleErrors.create('SCHEDULE_MISSED'));
  if (policy === 'all' && missed.length > 0) {
    const madeUp = due.slice(-mostMadeUp);
    const older = due.length - madeUp.length;
    if (older > 0)
      await passOver(unit, schedule, { dueAt: due[older - 1] ?? last, now, reason: overdue, times: older });
    for (const dueAt of madeUp) {
      const cause = isOnTime && dueAt === last ? 'time' : 'missed';
      await addRun(unit, runOf(schedule, { cause, dueAt, now }));
    }
    return { nextAt };
  }
  const lastMissed = missed.at(-1);
  if (policy === 'skip' && lastMissed !== undefined)
    await passOver(unit, schedule, { dueAt: lastMissed, now, reason: overdue, times: missed.length });
  if (isOnTime || policy === 'once')
    await begin(unit, schedule, { dueAt: last, now, cause: isOnTime ? 'time' : 'missed' });
  return { nextAt };
}

/** A run that waits for its turn. */
export function runOf(
  { id, projectId }: Schedule,
  { cause, dueAt, now }: { readonly cause: Run['cause']; readonly dueAt: number; readonly now: number },
): Run {
  return newRun({ scheduleId: id, projectId, cause, dueAt, createdAt: now });
}

/** Stores a run, or skips it if the schedule's runs must not overlap. */
async function begin(
  unit: PluginUnit,
  schedule: Schedule,
  { dueAt, now, cause }: { readonly dueAt: number; readonly now: number; readonly cause: Run['cause'] },
): Promise<void> {
  const { overlap } = schedule.input;
  const open = await unfinishedRuns(unit, schedule.id);
  // While a long run continues, one waiting run is enough.
  const isTooMuch =
    overlap === 'skip'
      ? open.length > 0
      : overlap === 'wait' && open.some(({ state, attempt }) => state === 'waiting' && attempt === 0);
  if (!isTooMuch) return addRun(unit, runOf(schedule, { cause, dueAt, now }));
  const reason = wordsOf(scheduleErrors.create('SCHEDULE_OVERLAP'));
  await passOver(unit, schedule, { dueAt, now, reason, times: 1 });
}

/** Stores that runs were skipped: one entry for consecutive ones. */
async function passOver(
  unit: PluginUnit,
  schedule: Schedule,
  over: {
    readonly dueAt: number;
    readonly now: number;
    readonly reason: ScheduledOutcome;
    readonly times: number;
  },
): Promise<void> {
  const { dueAt, now, reason, times } = over;
  const newest = await newestRun(unit, schedule.id);
  if (newest?.state === 'skipped' && newest.message?.code === reason.code) {
    await changeRun(unit, newest, { dueAt, endedAt: now, attempt: newest.attempt + times });
    return;
  }
  const run = runOf(schedule, { cause: 'time', dueAt, now });
  await addRun(unit, { ...run, state: 'skipped', endedAt: now, message: reason, attempt: times });
}
