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

/** Throws 400 for a notification whose settings cannot be sent. */
export function createCheck(ctx: ServerPluginContext): (notification: HookNotification) => void {
  const notifier = ctx.get(NotifierToken);
  return ({ type, payload }) => {
    // The request has been parsed before.
    if (type === 'URL') return assertRequestBody(payload as unknown as RequestTemplate);
    if (ownTypes.includes(type)) return;
    const channel = channelOf(notifier, type);
    if (channel === undefined) throw hookErrors.create('HOOK_TYPE', { type });
    notifier.check(channel.id, settingsIn(payload));
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
