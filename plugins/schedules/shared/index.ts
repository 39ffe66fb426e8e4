import type { Refusal } from '@trellis/sdk/shared';
import { parseCron, type CronPlan } from './cron.ts';
import { timeZoneOf, type TimeZone } from './time-zone.ts';

export * from './actions.ts';
export { cronProblems, type CronPlan } from './cron.ts';
export * from './entities.ts';
export { fromCron, plainMinutes, toCron, type PlainKind, type PlainSchedule } from './plain-schedule.ts';
export { problemWords } from './problems.ts';
export * from './restores.ts';
export { nextRuns, runsBetween } from './runs.ts';
export type { TimeZone } from './time-zone.ts';

export const zoneProblem = 'There is no time zone “{{zone}}”: choose one such as Europe/Berlin.';

/** When something runs. */
export interface SchedulePlan {
  /** Five fields of cron. */
  readonly cron: string;
  /** Its name in the IANA database: `Europe/Berlin`. */
  readonly timeZone: string;
}

export type PlanOutcome =
  | { readonly ok: true; readonly plan: CronPlan; readonly zone: TimeZone }
  | { readonly ok: false; readonly field: keyof SchedulePlan; readonly problem: Refusal };

/** Reads when something runs. */
export function planOf({ cron, timeZone }: SchedulePlan): PlanOutcome {
  const read = parseCron(cron);
  if (!read.ok) return { ok: false, field: 'cron', problem: read.problem };
  const zone = timeZoneOf(timeZone);
  if (zone === undefined)
    return { ok: false, field: 'timeZone', problem: { message: zoneProblem, params: { zone: timeZone } } };
  return { ok: true, plan: read.plan, zone };
}
