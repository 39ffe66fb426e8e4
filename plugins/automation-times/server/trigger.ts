import type { AutomationTrigger, KeptSchedule } from '@trellis/sdk/server';
import type { AutomationSettings, TimePlan } from '@trellis/sdk/shared';
import { timeComes } from '../shared/index.ts';

/** The trigger "A time comes". */
export const timeTrigger: AutomationTrigger = { ...timeComes, upgrade };

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

/** Converts old settings, which named one of five intervals, or `cron` with an expression, and a zone. */
function upgrade(settings: AutomationSettings): AutomationSettings {
  const { time, every, cron, timeZone } = settings;
  if (time !== undefined || every === undefined) return settings;
  const plan: TimePlan = {
    cron: textOf(every === 'cron' ? cron : every),
    time_zone: textOf(timeZone) || 'UTC',
  };
  return { time: plan };
}

/** The time plan in settings. */
export function planOf({ time }: AutomationSettings): Pick<KeptSchedule, 'cron' | 'timeZone'> {
  const { cron, time_zone: timeZone } = time as TimePlan;
  return { cron, timeZone };
}
