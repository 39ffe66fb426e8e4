import type { AutomationTrigger, KeptSchedule } from '@trellis/sdk/server';
import type { AutomationSettings, TimePlan } from '@trellis/sdk/shared';
import { timeComes } from '../shared/index.ts';

/** The trigger "A time comes". */
export const timeTrigger: AutomationTrigger = { ...timeComes, upgrade };

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

/** Before there was one shape of times, settings named one of five times, or `cron` for another one in that notation, and a zone. */
function upgrade(settings: AutomationSettings): AutomationSettings {
  const { time, every, cron, timeZone } = settings;
  if (time !== undefined || every === undefined) return settings;
  const plan: TimePlan = {
    cron: textOf(every === 'cron' ? cron : every),
    time_zone: textOf(timeZone) || 'UTC',
  };
  return { time: plan };
}

/** When settings mean. */
export function planOf({ time }: AutomationSettings): Pick<KeptSchedule, 'cron' | 'timeZone'> {
  const { cron, time_zone: timeZone } = time as TimePlan;
  return { cron, timeZone };
}
