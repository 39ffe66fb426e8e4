import {
  AutomationsToken,
  ClaimedRows,
  createDrop,
  defineServerPlugin,
  KeyedWork,
  SecretsToken,
  ServersToken,
  type Permission,
} from '@trellis/sdk/server';
import { automationNotices } from '../shared/notices.ts';
import { rowButton } from '../shared/index.ts';
import { automationErrors, problemOf } from './automation-errors.ts';
import { automationRoutes } from './automation-routes.ts';
import { AutomationStore } from './automation-store.ts';
import { automationsOfChannels } from './channel-user.ts';
import { createConditions } from './conditions.ts';
import { DueRuns } from './due-runs.ts';
import { startFanOut } from './fan-out.ts';
import { createGuard, type AutomationLimits } from './guard.ts';
import { createKinds } from './kinds.ts';
import { holdConditions } from './move-conditions.ts';
import { migrations } from './migrations.ts';
import { followChannels } from './off-channels.ts';
import { createOwnerScope } from './owner-scope.ts';
import { createPause } from './pause.ts';
import { automationHome } from './places.ts';
import { pressOperation } from './press.ts';
import { rowTriggers } from './row-triggers.ts';
import { runRoutes } from './run-routes.ts';
import { createRunner } from './runner.ts';
import { RunItemStore } from './run-items.ts';
import { RunStore } from './run-store.ts';
import { RunSweep } from './run-sweep.ts';
import { createAutomations } from './service.ts';
import { ownSteps } from './steps/index.ts';
import { tellSkipped } from './tell-owner.ts';
import { createTakeRun } from './take-run.ts';
import { createTellPage } from './tell-page.ts';
import { tryRoutes } from './try-routes.ts';
import { versionRoutes } from './version-routes.ts';
import { WatchStore } from './watch-store.ts';
import { createWatches } from './watches.ts';

const permissions: readonly Permission[] = [
  {
    id: 'automationList',
    label: 'See the automations of a project and their runs',
    roles: [],
    scope: 'project',
  },
  { id: 'automationSet', label: 'Make, change and delete automations', roles: [], scope: 'project' },
];

const hour = 3600;
const day = 24 * hour;

export default defineServerPlugin<AutomationLimits>({
  migrations,
  setup(ctx) {
    for (const kind of automationNotices) ctx.register('noticeKinds', kind);
    for (const permission of permissions) ctx.register('permissions', permission);
    ctx.registries.define('automationTriggers', { absentPolicy: 'Its automations are not started.' });
    ctx.registries.define('automationSteps', {
      absentPolicy: 'Automations that come to it are paused with the reason; nothing is lost.',
    });
    for (const trigger of rowTriggers) ctx.register('automationTriggers', trigger);
    ctx.register('automationTriggers', rowButton);
    for (const step of ownSteps(ctx)) ctx.register('automationSteps', step);

    const kinds = createKinds(ctx);
    const automations = new AutomationStore(ctx.db, ctx.get(SecretsToken), (definition) =>
      kinds.upgraded(definition),
    );
    ctx.register('objectHomes', automationHome(automations));
    const runs = new RunStore(ctx.db, ctx.get(SecretsToken));
    const dueRuns = new DueRuns(
      ctx.db,
      new ClaimedRows({ db: ctx.db, servers: ctx.get(ServersToken) }, 'run'),
    );
    const sweep = new RunSweep(ctx.db);
    const items = new RunItemStore(ctx.db);
    const conditions = createConditions(ctx);
    const guard = createGuard(ctx, { runs, dueRuns });
    const ownerScope = createOwnerScope(ctx);
    const tellPage = createTellPage(ctx);
    holdConditions(ctx, { automations, tellPage });
    const pause = createPause(ctx, { automations, tellPage });
    const watchStore = new WatchStore(ctx.db);
    const watches = createWatches(ctx, {
      watches: watchStore,
      automations,
      runs,
      conditions,
      guard,
      ownerScope,
      pause,
    });
    const takeRun = createTakeRun(ctx, { automations, runs, items, kinds, ownerScope, pause, tellPage });
    const runner = ctx.own(
      createRunner({ automations, runs, dueRuns, takeRun, tellPage, logger: ctx.logger }),
    );
    const wake = (automationId: string) => runner.wake([automationId]);
    const forgetting = ctx.own(
      new KeyedWork({
        due: () => sweep.orphaned(),
        run: (id, signal) => sweep.forget(id, signal),
        failed: (error) => ctx.logger.error('Runs of deleted automations could not be forgotten', { error }),
        every: hour * 1000,
      }),
    );
    followChannels(ctx, { db: ctx.db, wake: (ids) => runner.wake(ids) });
    const forgetRuns = (ids: readonly string[]) => forgetting.wake(ids);
    startFanOut(ctx, {
      automations,
      runs,
      kinds,
      conditions,
      guard,
      ownerScope,
      pause,
      watches,
      tellSkipped: (automation, problem) => tellSkipped(ctx, automation, problem),
      didStart: (ids) => runner.wake(ids),
    });
    ctx.register(
      'operations',
      pressOperation(ctx, { automations, runs, conditions, guard, ownerScope, wake }),
    );
    ctx.provide(AutomationsToken, () => createAutomations({ automations, runs, guard, pause, wake }));

    const limits = () => ctx.settings.current;
    ctx.register('channelUsers', automationsOfChannels({ automations, kinds, limits }));

    ctx.register('jobs', {
      id: 'automations.sweep',
      every: hour,
      async run() {
        const { keptDays, waitingDays: days } = limits();
        await sweep.giveUpWaiting(
          Date.now() - days * day * 1000,
          problemOf(automationErrors.create('AUTOMATION_WAITED', { days })),
        );
        await sweep.forgetEnded(Date.now() - keptDays * day * 1000);
        forgetting.look();
        await forgetting.settle();
        await watchStore.sweep();
      },
    });
    ctx.tap('projects.didPurge', async ({ projectId }) =>
      forgetRuns(await automations.forgetProject(projectId)),
    );
    ctx.routes(
      ...automationRoutes(ctx, { automations, runs, kinds, watches, tellPage, wake, forgetRuns }),
      ...runRoutes(ctx, { runs, dueRuns, drop: createDrop(ctx, sweep), items, tellPage, wake }),
      ...tryRoutes(ctx, { kinds, conditions }),
      ...versionRoutes(ctx, { automations, kinds, watches, tellPage }),
    );
  },
});
