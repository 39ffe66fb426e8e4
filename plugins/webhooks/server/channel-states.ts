import {
  defineRoute,
  MailerToken,
  NotifierToken,
  type Notifier,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { mailType, type ChannelStateAnswer, type ChannelStateEntity } from '../shared/index.ts';
import { isNamed } from './channels.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { Hook, HookStore } from './hook-store.ts';

type Channel = Pick<ReturnType<Notifier['channels']>[number], 'id' | 'label' | 'pluginId' | 'isReady'>;

const iso = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString());

/** The state of the channels that webhooks of all projects use, for the people who set them up. */
export function channelStateRoutes(
  ctx: ServerPluginContext,
  { hooks, deliveries }: { readonly hooks: HookStore; readonly deliveries: DeliveryStore },
): readonly RouteDefinition[] {
  const notifier = ctx.get(NotifierToken);
  const mailer = ctx.get(MailerToken);
  const users = ctx.registry('channelUsers');

  /** Only webhooks tell by the mail of this server as by a channel. */
  async function usersOf(channel: Channel, webhooks: number): Promise<ChannelStateEntity['users']> {
    const others = channel.id === mailType ? [] : users.list().filter(({ id }) => id !== 'webhooks');
    const counted = others.map(async (user) => ({ label: user.label, count: await user.count(channel) }));
    return [{ label: 'Webhooks', count: webhooks }, ...(await Promise.all(counted))];
  }

  async function stateOf(channel: Channel, active: readonly Hook[]): Promise<ChannelStateEntity> {
    const { id, label, pluginId, isReady } = channel;
    const own = active.filter(({ settings: { notification } }) => isNamed({ id, label }, notification.type));
    const { arrived, failed } = await deliveries.lastOf(own.map((hook) => hook.id));
    return {
      id,
      label,
      plugin_id: pluginId,
      is_ready: isReady,
      users: await usersOf(channel, own.length),
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
      summary:
        'List the channels of plugins, and the mail of this server, with how the messages of webhooks fare that go by them',
      async handle(): Promise<ChannelStateAnswer> {
        const active = await hooks.ofActive();
        // Mails go by whatever plugin sends the mail of this server: what webhooks make of it stands with them.
        const mail = {
          id: mailType,
          label: mailType,
          pluginId: ctx.manifest.id,
          isReady: mailer.isConfigured(),
        };
        const channels: readonly Channel[] = [...notifier.channels(), mail];
        return { list: await Promise.all(channels.map((channel) => stateOf(channel, active))) };
      },
    }),
  ];
}
