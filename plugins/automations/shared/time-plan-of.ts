import type { AutomationInput, AutomationSettings, TimePlan } from '@trellis/sdk/shared';

/** Characters of a time; those of schedules have as many. */
const longest = { cron: 200, zone: 100 };

/** A time among settings; undefined for what is none. */
export function timePlanIn(value: unknown): TimePlan | undefined {
  if (typeof value !== 'object' || value === null || !('cron' in value) || !('time_zone' in value))
    return undefined;
  const { cron, time_zone } = value;
  if (typeof cron !== 'string' || typeof time_zone !== 'string') return undefined;
  return cron.length > longest.cron || time_zone.length > longest.zone ? undefined : { cron, time_zone };
}

/** When an automation starts, by the first time that its trigger asks for; undefined where it asks for none. */
export function timePlanOf(
  inputs: readonly AutomationInput[],
  settings: AutomationSettings,
): TimePlan | undefined {
  const input = inputs.find(({ kind }) => kind === 'time');
  return input && timePlanIn(settings[input.id]);
}
