import {
  defineRoute,
  NotifierToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { ChannelStateAnswer, ChannelStateEntity } from '../shared/index.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { Hook, HookStore } from './hook-store.ts';

const iso = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString());

/** How the channels fare by which webhooks of all projects tell: for whoever sets them up. */
export function channelStateRoutes(
  ctx: ServerPluginContext,
  { hooks, deliveries }: { readonly hooks: HookStore; readonly deliveries: DeliveryStore },
): readonly RouteDefinition[] {
  const notifier = ctx.get(NotifierToken);

  async function stateOf(
    { id, label, pluginId, isReady }: ReturnType<typeof notifier.channels>[number],
    active: readonly Hook[],
  ): Promise<ChannelStateEntity> {
    const own = active.filter(({ settings: { notification } }) => [id, label].includes(notification.type));
    const { arrived, failed } = await deliveries.lastOf(own.map((hook) => hook.id));
    return {
      id,
      label,
      plugin_id: pluginId,
      is_ready: isReady,
      webhooks: own.length,
      paused: own.filter(({ paused }) => paused !== undefined).length,
      arrived_at: iso(arrived),
      failed_at: iso(failed?.at),
      failure: failed?.error ?? null,
    };
  }

  return [
    defineRoute({
      method: 'GET',
      path: 'channels',
      permission: 'hookChannelRead',
      summary: 'List the channels of plugins, with how the messages of webhooks fare that go by them',
      async handle(): Promise<ChannelStateAnswer> {
        const all = await hooks.ofTables([...(await hooks.tables())]);
        const active = all.filter((hook) => hook.active);
        return { list: await Promise.all(notifier.channels().map((channel) => stateOf(channel, active))) };
      },
    }),
  ];
}
