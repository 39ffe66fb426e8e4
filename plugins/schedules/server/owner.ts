import {
  AccessServiceToken,
  createPresentOwner,
  type AccessScope,
  type ScheduledAction,
  type ScheduledOutcome,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { scheduleErrors, wordsOf } from './schedule-errors.ts';
import type { Schedule } from './schedule-store.ts';

/** The rights with which a schedule runs, or why it cannot run. */
export type Standing =
  | { readonly kind: 'ready'; readonly scope: AccessScope; readonly action: ScheduledAction }
  | { readonly kind: 'paused'; readonly reason: ScheduledOutcome }
  /** The plugin of its action is off; it continues once the plugin is on again. */
  | { readonly kind: 'off'; readonly reason: ScheduledOutcome }
  /** The project was deleted; it may be restored. */
  | { readonly kind: 'away' };

export type Standings = (schedule: Schedule, requestId: string) => Promise<Standing>;

/** Checks whether a schedule's action still exists, and whether its owner may still use it. */
export function createStandings(ctx: ServerPluginContext): Standings {
  const access = ctx.get(AccessServiceToken);
  const presentOwner = createPresentOwner(ctx);
  const pausedBy = (code: `SCHEDULE_OWNER_${'GONE' | 'TOKEN' | 'RIGHTS'}`): Standing => ({
    kind: 'paused',
    reason: wordsOf(scheduleErrors.create(code)),
  });

  return async ({ projectId, owner, input }, requestId) => {
    if ((await access.locateProject(projectId)) !== projectId) return { kind: 'away' };
    const present = await presentOwner(owner);
    if (present.kind === 'gone') return pausedBy('SCHEDULE_OWNER_GONE');
    if (present.kind === 'over') return pausedBy('SCHEDULE_OWNER_TOKEN');
    const action = ctx.registry('scheduledActions').get(input.action);
    if (action === undefined)
      return { kind: 'off', reason: wordsOf(scheduleErrors.create('SCHEDULE_ACTION_OFF')) };
    const scope = await access.scopeFor(present.principal, projectId, requestId);
    if (!scope.may('scheduleRun') || !mayDo(scope, action)) return pausedBy('SCHEDULE_OWNER_RIGHTS');
    return { kind: 'ready', scope, action };
  };
}

/** Whether a scope has the permission of an action; for an action about rows, the table is checked when it runs. */
export function mayDo(scope: AccessScope, { permission, target }: ScheduledAction): boolean {
  return permission === undefined || target === 'view' || scope.may(permission);
}
