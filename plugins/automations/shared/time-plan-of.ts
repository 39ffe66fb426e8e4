import type { AutomationInput, AutomationSettings, TimePlan } from '@trellis/sdk/shared';

/** The most characters of a time, as for schedules. */
const longest = { cron: 200, zone: 100 };

/** The time in settings; undefined for anything else. */
export function timePlanIn(value: unknown): TimePlan | undefined {
  if (typeof value !== 'object' || value === null || !('cron' in value) || !('time_zone' in value))
    return undefined;
  const { cron, time_zone } = value;
  if (typeof cron !== 'string' || typeof time_zone !== 'string') return undefined;
  return cron.length > longest.cron || time_zone.length > longest.zone ? undefined : { cron, time_zone };
}

/** The times at which an automation starts, from the first time among its trigger's inputs; undefined if there is none. */
export function timePlanOf(
  inputs: readonly AutomationInput[],
  settings: AutomationSettings,
): TimePlan | undefined {
  const input = inputs.find(({ kind }) => kind === 'time');
  return input && timePlanIn(settings[input.id]);
}
