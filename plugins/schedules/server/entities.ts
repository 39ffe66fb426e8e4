import { revisionOf, type ScheduledAction } from '@trellis/sdk/server';
import { nextRuns, readTimePlan } from '@trellis/sdk/shared';
import type { ActionEntity, RunEntity, ScheduleEntity } from '../shared/index.ts';
import type { Run } from './run-store.ts';
import type { Schedule } from './schedule-store.ts';

const shownRuns = 5;

const wire = (moment: number) => new Date(moment).toISOString();
const wireOrNull = (moment: number | undefined) => (moment === undefined ? null : wire(moment));

export function toRunEntity(run: Run): RunEntity {
  const isSkipped = run.state === 'skipped';
  return {
    id: run.id,
    schedule_id: run.scheduleId,
    state: run.state,
    cause: run.cause,
    due_at: wire(run.dueAt),
    started_at: wireOrNull(run.startedAt),
    ended_at: wireOrNull(run.endedAt),
    next_at: run.state === 'waiting' && run.notBefore > 0 ? wire(run.notBefore) : null,
    message: run.message ?? null,
    times: isSkipped ? run.attempt : 1,
    attempts: run.attempts.map(({ startedAt, endedAt, outcome, message }) => ({
      started_at: wire(startedAt),
      ended_at: wire(endedAt),
      outcome,
      message,
    })),
    file: run.file === undefined ? null : { name: run.file.name, size: run.file.size },
    is_cancelling: run.cancelling && (run.state === 'waiting' || run.state === 'running'),
  };
}

/** Identifies the settings of a schedule. */
export function scheduleRevision({ input, active }: Pick<Schedule, 'input' | 'active'>): string {
  return revisionOf([input, active]);
}

export function toScheduleEntity(
  schedule: Schedule,
  more: {
    readonly now: number;
    readonly owner: string;
    readonly paused: ScheduleEntity['paused'];
    readonly lastRun: Run | undefined;
  },
): ScheduleEntity {
  const { id, input, active, createdAt, updatedAt } = schedule;
  const { now, owner, paused, lastRun } = more;
  const read = readTimePlan(input);
  const runs = read.ok && active && paused === null ? nextRuns(read.plan, read.zone, now, shownRuns) : [];
  return {
    ...input,
    id,
    revision: scheduleRevision(schedule),
    active,
    paused,
    owner,
    next_runs: runs.map(wire),
    last_run: lastRun === undefined ? null : toRunEntity(lastRun),
    created_at: wire(createdAt),
    updated_at: wire(updatedAt),
  };
}

export function toActionEntity({
  id,
  label,
  description,
  icon,
  target,
  settings,
}: ScheduledAction): ActionEntity {
  return { id, label, description, icon, target, settings };
}
