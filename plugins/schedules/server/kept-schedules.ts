import type { AccessScope, Schedules } from '@trellis/sdk/server';
import { nextRuns, runsBetween } from '@trellis/sdk/shared';
import { limits, type ScheduleInput } from '../shared/index.ts';
import type { ScheduleClock } from './clock.ts';
import { newInput, readTime, refuse } from './schedule-input.ts';
import { keptId, type Schedule, type ScheduleStore } from './schedule-store.ts';

const mostRuns = 100;
const longestKey = 100;

/** The schedules of other plugins. */
export function createSchedules(deps: {
  readonly schedules: ScheduleStore;
  readonly clock: ScheduleClock;
  readonly removeFiles: (refs: readonly string[]) => Promise<void>;
}): Schedules {
  const { schedules, clock, removeFiles } = deps;

  function idOf(scope: AccessScope, action: string, key: string): string {
    scope.require('scheduleUpdate');
    return keptId(scope.projectId ?? '', action, key);
  }

  return {
    nextRuns({ cron, timeZone }, { count, after = clock.now() }) {
      const read = readTime({ cron, time_zone: timeZone });
      return nextRuns(read.plan, read.zone, after, Math.min(count, mostRuns));
    },
    lastRun({ cron, timeZone }, span) {
      const read = readTime({ cron, time_zone: timeZone });
      return runsBetween(read.plan, read.zone, { ...span, most: 1 }).at(-1);
    },
    async keep(scope, { action, key, title, cron, timeZone, tableId, viewId, settings = {}, ...more }) {
      const id = idOf(scope, action, key);
      if (key === '' || key.length > longestKey)
        refuse({ '/key': `A key has 1 to ${longestKey} characters.` });
      const now = clock.now();
      const read = readTime({ cron, time_zone: timeZone });
      const place = { table_id: tableId ?? null, view_id: viewId ?? null };
      const what = { title: title.slice(0, limits.title), action, settings, ...place };
      const input: ScheduleInput = { ...newInput, ...more, ...what, cron, time_zone: timeZone };
      const nextAt = nextRuns(read.plan, read.zone, now, 1)[0] ?? Number.MAX_SAFE_INTEGER;
      const patch = { owner: scope.principal, input, active: true, paused: undefined, nextAt };
      const change = () =>
        schedules.hold(id, (held) => ({ ...patch, updatedAt: Math.max(now, held.updatedAt + 1) }));
      if ((await change()) === undefined) {
        const made: Schedule = {
          id,
          projectId: scope.projectId ?? '',
          keptFor: key,
          ...patch,
          createdAt: now,
          updatedAt: now,
        };
        await schedules.add(made).catch(async (error: unknown) => {
          // Another call was faster.
          if ((await change()) === undefined) throw error;
        });
      }
      return { nextAt };
    },
    async drop(scope, actionId, key) {
      await removeFiles((await schedules.remove(idOf(scope, actionId, key))) ?? []);
    },
  };
}
