import {
  defineServerPlugin,
  OutboxToken,
  SecretsToken,
  type Permission,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { hookNotices } from '../shared/notices.ts';
import { Chains } from './chain.ts';
import { channelRoutes, createIsThere } from './channels.ts';
import { conditionHome } from './condition-home.ts';
import { conditionRoutes } from './condition-routes.ts';
import { DeliveryStore } from './delivery-store.ts';
import { Dispatcher } from './dispatcher.ts';
import { startFanOut, topicId } from './fan-out.ts';
import { hookRoutes } from './hook-routes.ts';
import { HookStore, type Hook } from './hook-store.ts';
import { logRoutes } from './log-routes.ts';
import { LoopGuard } from './loop-guard.ts';
import { migrations } from './migrations.ts';
import { createPause } from './pause.ts';
import { pressOperation } from './press.ts';
import { createRefusesAll } from './refusals.ts';
import { createRunByHand } from './run-by-hand.ts';
import { runRoutes } from './run-routes.ts';
import { createSend } from './send.ts';
import { TargetGate, type TargetLimits } from './target-gate.ts';
import { testRoutes } from './test-routes.ts';
import { watchViews } from './watch-views.ts';

const permissions: readonly Permission[] = [
  { id: 'hookList', label: 'See the webhooks of a table', roles: [], scope: 'project' },
  { id: 'hookCreate', label: 'Make webhooks', roles: [], scope: 'project' },
  { id: 'hookUpdate', label: 'Change webhooks', roles: [], scope: 'project' },
  { id: 'hookDelete', label: 'Delete webhooks', roles: [], scope: 'project' },
  { id: 'hookTest', label: 'Try webhooks', roles: [], scope: 'project' },
];

const keptDays = 30;
const hour = 3600;

export default defineServerPlugin({
  migrations,
  setup(ctx: ServerPluginContext) {
    for (const kind of hookNotices) ctx.register('noticeKinds', kind);
    for (const permission of permissions) ctx.register('permissions', permission);
    const hooks = new HookStore(ctx.db, ctx.get(SecretsToken));
    const deliveries = new DeliveryStore(ctx.db);
    const chains = new Chains(ctx.get(SecretsToken));
    ctx.register('changeMarks', chains.mark());
    ctx.register('filterHomes', conditionHome(ctx, hooks));
    ctx.register('serverFigures', {
      id: 'webhookCount',
      count: (projectId) => hooks.countOf(projectId),
    });
    const send = createSend(ctx, chains);
    const { pause, tell } = createPause(ctx, hooks);
    const guard = new LoopGuard();
    const isThere = createIsThere(ctx);
    const dispatcher = ctx.own(
      new Dispatcher({
        hooks,
        deliveries,
        send,
        isThere,
        logger: ctx.logger,
        didPause: tell,
        guard,
        pause,
        refusesAll: createRefusesAll(deliveries),
        gate: new TargetGate(() => ctx.settings.current as unknown as TargetLimits),
      }),
    );
    startFanOut(ctx, { hooks, deliveries, guard, pause, didKeep: (ids) => dispatcher.wake(ids) });

    const run = createRunByHand(ctx, { deliveries, isThere, wake: (id) => dispatcher.wake([id]) });
    ctx.register('operations', pressOperation(ctx, { hooks, deliveries, run }));
    watchViews(ctx, { hooks, pause });

    async function resume({ id }: Hook): Promise<void> {
      await hooks.change(id, () => ({
        paused: undefined,
        failures: 0,
        retryAt: 0,
        updatedAt: Date.now(),
      }));
      await deliveries.again(id);
      dispatcher.wake([id]);
    }

    ctx.register('jobs', {
      id: 'webhooks.sweep',
      every: hour,
      async run() {
        await deliveries.sweep(Date.now() - keptDays * 24 * hour * 1000);
        // One event that nobody can read does not keep the others back for ever.
        const outbox = ctx.get(OutboxToken);
        if ((await outbox.state(topicId))?.state === 'paused') await outbox.resume(topicId);
      },
    });
    ctx.tap('projects.didPurge', ({ projectId }) => hooks.forgetProject(projectId));
    ctx.routes(
      ...channelRoutes(ctx),
      ...testRoutes(ctx, { hooks, send }),
      ...hookRoutes(ctx, { hooks, resume }),
      ...conditionRoutes(ctx, hooks),
      ...runRoutes(ctx, { hooks, run }),
      ...logRoutes(ctx, { hooks, deliveries, resume, wake: (id) => dispatcher.wake([id]) }),
    );
  },
});
