import {
  assertRequestBody,
  defineRoute,
  MailerToken,
  NotifierToken,
  SchemaStoreToken,
  type Notifier,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { RequestTemplate } from '@trellis/sdk/shared';
import {
  isSameType,
  mailType,
  ownTypes,
  type HookChannelEntity,
  type HookNotification,
} from '../shared/index.ts';
import { hookErrors } from './hook-errors.ts';

/** The channel for a webhook's type: by its id, or by its label as clients of the v1 API send it. */
export function channelOf(notifier: Pick<Notifier, 'channels'>, type: string) {
  return notifier.channels().find((channel) => isNamed(channel, type));
}

/** Whether a type names a channel. Clients of the v1 API write `Whatsapp`, whatever the case of its label is. */
export function isNamed(
  { id, label }: { readonly id: string; readonly label: string },
  type: string,
): boolean {
  return [id, label].some((name) => isSameType(name, type));
}

/** Whether messages of a type can be sent at the moment: its plugin may be off, and the server may have no mail. */
export function createIsThere(ctx: ServerPluginContext): (type: string) => boolean {
  const notifier = ctx.get(NotifierToken);
  const mailer = ctx.get(MailerToken);
  return (type) => {
    if (type === mailType) return mailer.isConfigured();
    return ownTypes.includes(type) || channelOf(notifier, type) !== undefined;
  };
}

/** What the channels say of the settings that webhooks have for them. */
export interface ChannelSettings {
  /** Throws 400 for a notification whose settings cannot be sent. */
  check(notification: HookNotification): void;
  /** The notification as answers show it: the secrets of its channel are masks. */
  masked(notification: HookNotification): HookNotification;
  /** The notification with the secrets of the stored one in place of their masks; throws 400 where they would go elsewhere. */
  unmasked(notification: HookNotification, stored: HookNotification | undefined): HookNotification;
}

export function createChannelSettings(ctx: ServerPluginContext): ChannelSettings {
  const notifier = ctx.get(NotifierToken);
  /** The channel of a type; the type where its plugin is switched off. */
  const idOf = (type: string) => channelOf(notifier, type)?.id ?? type;
  /** The notification with other settings of its channel, and the text of the message as it is. */
  function changed(
    { type, payload }: HookNotification,
    change: (settings: HookNotification['payload']) => HookNotification['payload'],
  ): HookNotification {
    return {
      type,
      payload: ownTypes.includes(type) ? payload : { ...payload, ...change(settingsIn(payload)) },
    };
  }
  return {
    check({ type, payload }) {
      // The request has been parsed before.
      if (type === 'URL') return assertRequestBody(payload as unknown as RequestTemplate);
      if (ownTypes.includes(type)) return;
      const channel = channelOf(notifier, type);
      if (channel === undefined) throw hookErrors.create('HOOK_TYPE', { type });
      notifier.check(channel.id, settingsIn(payload));
    },
    masked: (notification) =>
      changed(notification, (settings) => notifier.masked(idOf(notification.type), settings)),
    unmasked: (notification, stored) =>
      changed(notification, (settings) => {
        const isSame = stored !== undefined && idOf(stored.type) === idOf(notification.type);
        return notifier.unmasked(idOf(notification.type), settings, isSame ? settingsIn(stored.payload) : {});
      }),
  };
}

/** The settings of a channel, without the text of the message. */
export function settingsIn({
  body: _,
  ...settings
}: HookNotification['payload']): HookNotification['payload'] {
  return settings;
}

/** The channels for webhooks, with the settings of each. */
export function channelRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const notifier = ctx.get(NotifierToken);
  const schema = ctx.get(SchemaStoreToken);
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/db/meta/tables/:tableId/hooks/channels',
      permission: 'hookList',
      object: { kind: 'table', param: 'tableId' },
      summary: 'List the channels that webhooks of a table can tell over, with the settings of each',
      async handle({ scope, params }): Promise<{ readonly list: readonly HookChannelEntity[] }> {
        await schema.table(scope, params.tableId ?? '');
        const list = notifier.channels().map(({ label, icon, settings, pluginId }) => ({
          type: label,
          icon: icon ?? null,
          plugin: pluginId,
          settings,
        }));
        return { list };
      },
    }),
  ];
}
