import {
  BackgroundToken,
  BusToken,
  ClaimedRows,
  createDrop,
  defineServerPlugin,
  followGoneViews,
  holdPausing,
  KeyedWork,
  SecretsToken,
  SignedChains,
  ServersToken,
  type Permission,
  type Principal,
} from '@trellis/sdk/server';
import { hooksObjectKind } from '../shared/index.ts';
import { hookNotices } from '../shared/notices.ts';
import { markOfCalls, programMark } from './chain.ts';
import { channelStateRoutes } from './channel-states.ts';
import { hooksOfChannels } from './channel-user.ts';
import { channelRoutes, createIsThere } from './channels.ts';
import { conditionHome } from './condition-home.ts';
import { conditionRoutes } from './condition-routes.ts';
import { DeliveryStore } from './delivery-store.ts';
import { DeliverySweep } from './delivery-sweep.ts';
import { Dispatcher } from './dispatcher.ts';
import { startFanOut } from './fan-out.ts';
import { hookErrors } from './hook-errors.ts';
import { hookHome } from './hook-places.ts';
import { hookRoutes } from './hook-routes.ts';
import { HookStore, type Hook } from './hook-store.ts';
import { logRoutes } from './log-routes.ts';
import { LoopGuard } from './loop-guard.ts';
import { migrations } from './migrations.ts';
import { createOwnerLost } from './owner-lost.ts';
import { isOwnerLost } from './pause-codes.ts';
import { createPause } from './pause.ts';
import { pressOperation } from './press.ts';
import { createNote, createRecord } from './record.ts';
import { createRefusesAll } from './refusals.ts';
import { createRunByHand } from './run-by-hand.ts';
import { runRoutes } from './run-routes.ts';
import { createAssertSeesWholeRows, createSeesWholeRows } from './sees-whole-rows.ts';
import { createSend } from './send.ts';
import { TargetGate, type TargetLimits } from './target-gate.ts';
import { tellSkipped } from './tell-owner.ts';
import { testRoutes } from './test-routes.ts';

const permissions: readonly Permission[] = [
  { id: 'hookList', label: 'See the webhooks of a table', roles: [], scope: 'project' },
  { id: 'hookCreate', label: 'Make webhooks', roles: [], scope: 'project' },
  { id: 'hookUpdate', label: 'Change webhooks', roles: [], scope: 'project' },
  { id: 'hookDelete', label: 'Delete webhooks', roles: [], scope: 'project' },
  { id: 'hookTest', label: 'Try webhooks', roles: [], scope: 'project' },
  { id: 'hookChannelRead', label: 'See how the channels of webhooks fare', roles: [], scope: 'account' },
];

const keptDays = 30;
const hour = 3600;
const day = 24 * hour * 1000;

interface HookLimits extends TargetLimits {
  /** Events that wait for one webhook that is paused, and days for which they do. */
  readonly keptWaiting: number;
  readonly waitingDays: number;
}

export default defineServerPlugin<HookLimits>({
  migrations,
  setup(ctx) {
    for (const kind of hookNotices) ctx.register('noticeKinds', kind);
    for (const permission of permissions) ctx.register('permissions', permission);
    const hooks = new HookStore(ctx.db, ctx.get(SecretsToken));
    const deliveries = new DeliveryStore(
      ctx.db,
      new ClaimedRows({ db: ctx.db, servers: ctx.get(ServersToken) }, 'delivery'),
    );
    const sweep = new DeliverySweep(ctx.db);
    const limits = () => ctx.settings.current;
    const chains = new SignedChains(ctx.get(SecretsToken));
    ctx.register('changeMarks', markOfCalls(chains));
    ctx.register('changeMarks', programMark);
    ctx.register('filterHomes', conditionHome(ctx, hooks));
    ctx.register('objectHomes', hookHome(hooks));
    ctx.register('serverFigures', {
      id: 'webhookCount',
      count: (projectId) => hooks.countOf(projectId),
    });
    const send = createSend(ctx, chains);
    const { pause, tell } = createPause(ctx, hooks);
    const valueGone = hookErrors.create('HOOK_VALUE_GONE').message;
    holdPausing(ctx, {
      id: 'webhooks',
      moved: (unit, moved) => hooks.move(unit, moved, valueGone),
      async tell(id) {
        const hook = await hooks.byId(id);
        if (hook?.paused === valueGone) await tell(hook);
      },
    });
    const guard = new LoopGuard();
    const bus = ctx.get(BusToken);
    const isThere = createIsThere(ctx);
    const dispatcher = ctx.own(
      new Dispatcher({
        hooks,
        deliveries,
        send,
        isThere,
        background: ctx.get(BackgroundToken),
        logger: ctx.logger,
        didPause: tell,
        didTurn: ({ projectId }) =>
          bus.publish('objects.changed', { projectId, objectKind: hooksObjectKind, requestId: '' }),
        guard,
        pause,
        ownerLost: createOwnerLost(ctx),
        refusesAll: createRefusesAll(deliveries),
        gate: new TargetGate(limits),
      }),
    );
    startFanOut(ctx, {
      hooks,
      deliveries,
      guard,
      isThere,
      pause,
      tellSkipped: (hook, reason) => tellSkipped(ctx, hook, reason),
      didKeep: (ids) => dispatcher.wake(ids),
      mostWaiting: () => limits().keptWaiting,
    });
    // What a server had not told when it ended waits for no interval.
    dispatcher.look();
    const forgetting = ctx.own(
      new KeyedWork({
        due: () => sweep.orphaned(),
        run: (id, signal) => sweep.forget(id, signal),
        failed: (error) => ctx.logger.error('Messages of deleted webhooks could not be forgotten', { error }),
        every: hour * 1000,
      }),
    );
    const forgetDeliveries = (ids: readonly string[]) => forgetting.wake(ids);

    const run = createRunByHand(ctx, { deliveries, isThere, wake: (id) => dispatcher.wake([id]) });
    ctx.register('operations', pressOperation(ctx, { hooks, deliveries, run }));
    followGoneViews(ctx, {
      async keptOf({ tableId, viewId }) {
        const told = await hooks.ofTables([tableId]);
        return told.filter(({ settings }) => settings.view_id === viewId);
      },
      async didGo(told) {
        for (const { id } of told) await pause(id, 'HOOK_VIEW_GONE');
      },
    });

    /** @param by whoever lets it go on, who answers for it from now on where nobody does any more */
    async function resume({ id }: Hook, by: Principal): Promise<void> {
      await hooks.change(id, (now) => ({
        ...(isOwnerLost(now) && { owner: by }),
        paused: undefined,
        failures: 0,
        retryAt: 0,
        updatedAt: Date.now(),
      }));
      await deliveries.again(id);
      dispatcher.wake([id]);
    }

    ctx.register('channelUsers', hooksOfChannels(hooks, limits));
    ctx.register('jobs', {
      id: 'webhooks.sweep',
      every: hour,
      async run() {
        const { waitingDays: days } = limits();
        const active = await hooks.ofActive();
        const silent = active.filter(({ settings }) => !isThere(settings.notification.type));
        await sweep.giveUpWaiting(
          Date.now() - days * day,
          hookErrors.create('HOOK_WAITED', { days }).message,
          silent.map(({ id }) => id),
        );
        await sweep.forgetEnded(Date.now() - keptDays * day);
        forgetting.look();
        await forgetting.settle();
      },
    });
    ctx.tap('projects.didPurge', async ({ projectId }) =>
      forgetDeliveries(await hooks.forgetProject(projectId)),
    );
    ctx.routes(
      ...channelRoutes(ctx),
      ...channelStateRoutes(ctx, { hooks, deliveries }),
      ...testRoutes(ctx, { hooks, send }),
      ...hookRoutes(ctx, { hooks, resume, forgetDeliveries }),
      ...conditionRoutes(ctx, hooks),
      ...runRoutes(run),
      ...logRoutes({
        hooks,
        deliveries,
        drop: createDrop(ctx, sweep),
        resume,
        note: createNote(ctx),
        record: createRecord(ctx),
        bus,
        wake: (id) => dispatcher.wake([id]),
        seesWholeRows: createSeesWholeRows(ctx),
        assertSeesWholeRows: createAssertSeesWholeRows(ctx),
      }),
    );
  },
});
