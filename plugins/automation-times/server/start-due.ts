import type { AutomationOfTrigger, Automations, Schedules } from '@trellis/sdk/server';
import { timeComes } from '../shared/index.ts';
import { planOf } from './trigger.ts';

/** The earliest due time that is considered. */
const longestAgo = 24 * 60 * 60_000;

/** The last due time of an automation, within a day and since it was saved; undefined if there is none. */
export function lastDue(
  schedules: Pick<Schedules, 'lastRun'>,
  { settings, since }: Pick<AutomationOfTrigger, 'settings' | 'since'>,
  now: number,
): number | undefined {
  return schedules.lastRun(planOf(settings), { from: Math.max(now - longestAgo, since) + 1, to: now });
}

/**
 * Starts the automations that are due; an error of one does not stop the others. Each due time starts an automation once, whichever
 * server handles it; of the times that passed while no server was running, only the last one counts.
 *
 * @throws AggregateError of those that could not be started, after all others were.
 */
export async function startDue({
  automations,
  schedules,
  now,
}: {
  readonly automations: Automations;
  readonly schedules: Pick<Schedules, 'lastRun'>;
  /** UTC, milliseconds since 1970. */
  readonly now: number;
}): Promise<void> {
  async function start(automation: AutomationOfTrigger): Promise<void> {
    const moment = lastDue(schedules, automation, now);
    if (moment === undefined) return;
    await automations.start(automation.id, {
      eventId: `time-${moment}`,
      trigger: { at: new Date(moment).toISOString() },
    });
  }
  const failures: unknown[] = [];
  for (const automation of await automations.list(timeComes.id)) {
    try {
      await start(automation);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `Automations that could not be started: ${failures.length}.`);
}
