import {
  BusToken,
  FilesToken,
  SchedulesToken,
  SecretsToken,
  TasksToken,
  type Permission,
  type ServerPlugin,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { scheduleNotices } from '../shared/notices.ts';
import { schedulesObjectKind } from '../shared/index.ts';
import { createCallAction } from './actions/call-action.ts';
import { createExportAction } from './actions/export-action.ts';
import { createBackupAction } from './backup/backup-action.ts';
import { systemClock, type ScheduleClock } from './clock.ts';
import { KeptFiles } from './kept-files.ts';
import { createSchedules } from './kept-schedules.ts';
import { migrations } from './migrations.ts';
import { createStandings } from './owner.ts';
import { createRestoreKind } from './restore/restore-kind.ts';
import { restoreRoutes } from './restore/restore-routes.ts';
import { RestoreStore } from './restore/restore-store.ts';
import { createRunKinds } from './run-kind.ts';
import { createFindRun, runRoutes } from './run-routes.ts';
import { RunStore } from './run-store.ts';
import { scheduleRoutes } from './schedule-routes.ts';
import { Scheduler } from './scheduler.ts';
import { ScheduleStore } from './schedule-store.ts';
import { createTellOwner } from './tell-owner.ts';

const permissions: readonly Permission[] = [
  {
    id: 'scheduleList',
    label: 'See schedules, their runs and the files of those',
    roles: [],
    scope: 'project',
  },
  { id: 'scheduleUpdate', label: 'Make, change and delete schedules', roles: [], scope: 'project' },
  { id: 'scheduleRun', label: 'Run schedules, and cancel runs', roles: [], scope: 'project' },
];

const hour = 3600;
const keptDays = 30;
const keptRuns = 200;
/** Hours for which uploaded backups are kept, whether their restore has begun or not. */
const keptRestores = 24;

/** The server half; tests pass their own clock. */
export function createSchedulesPlugin(clock: ScheduleClock = systemClock): ServerPlugin {
  return { migrations, setup: (ctx) => setUp(ctx, clock) };
}

function setUp(ctx: ServerPluginContext, clock: ScheduleClock): void {
  for (const kind of scheduleNotices) ctx.register('noticeKinds', kind);
  ctx.registries.define('scheduledActions', {
    absentPolicy: 'Its schedules stand still and say so, and go on when its plugin is enabled again.',
    validate({ id, run, settings, target }) {
      if (typeof run !== 'function' || typeof settings !== 'object' || !['view', 'none'].includes(target))
        throw new Error(
          `the scheduled action '${id}' needs 'run', 'settings' and a target: 'view' or 'none'`,
        );
    },
  });
  for (const permission of permissions) ctx.register('permissions', permission);
  ctx.register('scheduledActions', createExportAction(ctx));
  ctx.register('scheduledActions', createBackupAction(ctx));
  ctx.register('scheduledActions', createCallAction(ctx));

  const bus = ctx.get(BusToken);
  const changed = (projectId: string) =>
    bus.publish('objects.changed', { projectId, objectKind: schedulesObjectKind, requestId: '' });

  const schedules = new ScheduleStore(ctx.db, ctx.get(SecretsToken));
  const runs = new RunStore(ctx.db);
  const standings = createStandings(ctx);
  const tellOwner = createTellOwner(ctx);
  const keptFiles = new KeptFiles(ctx.db);
  // A run and restores of its backup share one file, which is removed with the last of them.
  const removeFiles = async (refs: readonly string[]): Promise<void> => {
    for (const ref of refs)
      if (!(await keptFiles.holds(ref)))
        await ctx
          .get(FilesToken)
          .remove(ref)
          .catch((error: unknown) => ctx.logger.warn('The file of a run could not be removed', { error }));
  };
  const scheduler = ctx.own(
    new Scheduler({
      schedules,
      runs,
      standings,
      tasks: () => ctx.get(TasksToken),
      clock,
      logger: ctx.logger,
      tellOwner,
      changed,
    }),
  );
  for (const kind of createRunKinds(ctx, {
    schedules,
    runs,
    standings,
    clock,
    changed,
    didEnd: () => void scheduler.look(),
    pause: (schedule, reason) => scheduler.pause(schedule, reason),
    removeFiles,
    tellOwner,
  }))
    ctx.register('taskKinds', kind);
  ctx.register('fileHolders', keptFiles);
  const restores = new RestoreStore(ctx.db, () => clock.now());
  ctx.register('taskKinds', createRestoreKind(ctx, restores));
  ctx.register('jobs', {
    id: 'schedules.sweep-restores',
    every: hour,
    async run() {
      for (const { id } of await restores.old(clock.now() - keptRestores * hour * 1000)) {
        const removed = await restores.remove(id);
        if (removed !== undefined) await removeFiles([removed.file.ref]);
      }
    },
  });
  ctx.register('jobs', {
    id: 'schedules.prune',
    every: hour,
    run: async () => removeFiles(await runs.prune(clock.now() - keptDays * 24 * hour * 1000, keptRuns)),
  });
  ctx.tap('projects.didPurge', async ({ projectId }) =>
    removeFiles(await schedules.forgetProject(projectId)),
  );
  ctx.provide(SchedulesToken, () => createSchedules({ schedules, clock, removeFiles }));
  ctx.routes(
    ...scheduleRoutes(ctx, { schedules, runs, standings, clock, changed, removeFiles }),
    ...runRoutes(ctx, { schedules, runs, scheduler, clock, changed }),
    ...restoreRoutes(ctx, { restores, removeFiles, findRun: createFindRun({ schedules, runs }) }),
  );
}
