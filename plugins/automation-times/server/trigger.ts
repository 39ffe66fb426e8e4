import type { AutomationTrigger, Schedules } from '@trellis/sdk/server';
import type { AutomationSettings } from '@trellis/sdk/shared';
import { anotherTime, timeComes } from '../shared/index.ts';

/** The cron notation and the zone that settings mean. */
export function planOf({ every, cron, timeZone }: AutomationSettings): {
  readonly cron: string;
  readonly timeZone: string;
} {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
  return { cron: every === anotherTime ? text(cron) : text(every), timeZone: text(timeZone) || 'UTC' };
}

/** The trigger "A time comes". */
export function timeTrigger(schedules: Pick<Schedules, 'nextRuns'>): AutomationTrigger {
  return {
    ...timeComes,
    check: (settings) => void schedules.nextRuns(planOf(settings), { count: 1 }),
  };
}
