export type { CronPlan } from './cron.ts';
export { fromCron, plainMinutes, toCron, type PlainTime, type PlainTimeKind } from './plain-time.ts';
export { nextRuns, runsBetween } from './runs.ts';
export { readTimePlan, type ReadTimePlan, type TimePlan } from './time-plan.ts';
export type { TimeZone } from './time-zone.ts';
