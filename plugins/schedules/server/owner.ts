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

/** With whose rights a schedule runs, or why it cannot. */
export type Standing =
  | { readonly kind: 'ready'; readonly scope: AccessScope; readonly action: ScheduledAction }
  | { readonly kind: 'paused'; readonly reason: ScheduledOutcome }
  /** The plugin of what it does is switched off; it goes on when that is back. */
  | { readonly kind: 'off'; readonly reason: ScheduledOutcome }
  /** The project was deleted; it may come back. */
  | { readonly kind: 'away' };

export type Standings = (schedule: Schedule, requestId: string) => Promise<Standing>;

/** Judges whether what a schedule does is still there, and whoever set it still may do that. */
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

/** Whether a scope has what an action requires; of one about rows the table is asked when it runs. */
export function mayDo(scope: AccessScope, { permission, target }: ScheduledAction): boolean {
  return permission === undefined || target === 'view' || scope.may(permission);
}
