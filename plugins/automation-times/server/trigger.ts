import type { AutomationTrigger, Schedules } from '@trellis/sdk/server';
import type { AutomationSettings } from '@trellis/sdk/shared';

const own = 'cron';

/** The cron notation and the zone that settings mean. */
export function planOf({ every, cron, timeZone }: AutomationSettings): {
  readonly cron: string;
  readonly timeZone: string;
} {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
  return { cron: every === own ? text(cron) : text(every), timeZone: text(timeZone) || 'UTC' };
}

/** The trigger "A time comes". */
export function timeTrigger(schedules: Pick<Schedules, 'nextRuns'>): AutomationTrigger {
  return {
    id: 'time.comes',
    label: 'A time comes',
    icon: 'clock',
    order: 50,
    inputs: [
      {
        id: 'every',
        label: 'How often',
        kind: 'choice',
        isRequired: true,
        initial: '0 8 * * *',
        options: [
          { value: '0 * * * *', label: 'Every hour' },
          { value: '0 8 * * *', label: 'Every day at 8:00' },
          { value: '0 8 * * 1-5', label: 'Every weekday at 8:00' },
          { value: '0 8 * * 1', label: 'Every Monday at 8:00' },
          { value: '0 8 1 * *', label: 'On the first of each month at 8:00' },
          { value: own, label: 'At another time' },
        ],
      },
      {
        id: 'cron',
        label: 'Time in cron notation',
        kind: 'text',
        placeholder: '30 6 * * 1-5',
        help: 'Minute, hour, day of the month, month and day of the week.',
        when: { input: 'every', is: own },
      },
      { id: 'timeZone', label: 'Time zone', kind: 'text', initial: 'UTC', placeholder: 'Europe/Berlin' },
    ],
    values: ['at'],
    check: (settings) => void schedules.nextRuns(planOf(settings), { count: 1 }),
  };
}
