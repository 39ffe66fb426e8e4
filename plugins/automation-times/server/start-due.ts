import type { AutomationOfTrigger, Automations, Schedules } from '@trellis/sdk/server';
import { timeComes } from '../shared/index.ts';
import { planOf } from './trigger.ts';

const minute = 60_000;
/** How far back a moment may lie: the nearest first, since a schedule of every minute has more moments in a day than are listed. */
const windows = [2 * minute, 60 * minute, 24 * 60 * minute] as const;
const mostMoments = 100;

/** The last moment that an automation was meant for, of the last day and since it was saved; undefined where there is none. */
export function lastDue(
  schedules: Pick<Schedules, 'nextRuns'>,
  { settings, since }: Pick<AutomationOfTrigger, 'settings' | 'since'>,
  now: number,
): number | undefined {
  const plan = planOf(settings);
  for (const window of windows) {
    const after = Math.max(now - window, since);
    const last = schedules
      .nextRuns(plan, { count: mostMoments, after })
      .filter((moment) => moment <= now)
      .at(-1);
    if (last !== undefined) return last;
  }
  return undefined;
}

/**
 * Starts the automations whose time has come. Each moment starts an automation once, whichever server looks; of moments that passed while no
 * server was there the last one counts.
 */
export async function startDue({
  automations,
  schedules,
  now,
}: {
  readonly automations: Automations;
  readonly schedules: Pick<Schedules, 'nextRuns'>;
  /** UTC, milliseconds since 1970. */
  readonly now: number;
}): Promise<void> {
  for (const automation of await automations.list(timeComes.id)) {
    const moment = lastDue(schedules, automation, now);
    if (moment === undefined) continue;
    await automations.start(automation.id, {
      eventId: `time-${moment}`,
      trigger: { at: new Date(moment).toISOString() },
    });
  }
}
