import { defineErrors, type JsonSchema, type SettingsSchema } from '../../shared/index.ts';
import type { ServerPluginContext } from '../context.ts';
import { OutboundToken } from '../outbound.ts';
import { callService, type ServiceCall } from './services.ts';
import { ToldPlaces } from './told-places.ts';

const chatErrors = defineErrors({
  CHAT_CHANNEL_UNKNOWN: {
    status: 400,
    message: "The settings of {service} name no channel '{channel}' any more.",
  },
});

/** A chat whose channels take messages at addresses of their own, which are secrets. @public */
export interface Chat {
  readonly id: string;
  /** The name of the chat. */
  readonly label: string;
  readonly icon?: string;
  /** Characters of a message at the most; the rest is cut off. */
  readonly longest: number;
  /** The body of the request: JSON. */
  toBody(this: void, text: string): unknown;
  /** See `ServiceCall`. */
  readonly meaningOf?: ServiceCall['meaningOf'];
}

interface ChatRoom {
  readonly channel: string;
  readonly webhook_url: string;
}

/**
 * The channels that a super admin named in the setting `channels` of the plugin, with the addresses that no member ever sees: a list
 * of `{ channel, webhook_url }`.
 */
const roomsOf = ({ settings }: ServerPluginContext): readonly ChatRoom[] => {
  const { channels } = settings.current;
  return Array.isArray(channels) ? (channels as readonly ChatRoom[]) : [];
};

/**
 * The settings of one use of a channel that writes to places which the settings of its plugin name.
 *
 * @param key of the setting: a list of names
 * @param names that can be chosen at the moment; without them they are checked when something is sent
 * @public
 */
export function placesSchema(key: string, title: string, names?: readonly string[]): SettingsSchema {
  const items: JsonSchema = {
    type: 'string',
    ...(names !== undefined && names.length > 0 && { enum: [...new Set(names)] }),
  };
  const description =
    names?.length === 0
      ? 'The settings of the plugin name none yet; a super admin does that.'
      : 'Those that the settings of the plugin name.';
  return {
    type: 'object',
    required: [key],
    properties: { [key]: { type: 'array', title, description, minItems: 1, maxItems: 20, items } },
  };
}

/** Texts of a notification as one. @public */
export function messageText({
  title,
  text,
  url,
}: {
  readonly title: string;
  readonly text: string;
  readonly url?: string;
}): string {
  return [title, text, url].filter((line) => line !== undefined && line !== '').join('\n');
}

/** Registers a chat as a notification channel. @public */
export function registerChat(ctx: ServerPluginContext, chat: Chat): void {
  const { id, label, icon, longest, toBody, meaningOf } = chat;
  const told = new ToldPlaces();
  ctx.register('notificationChannels', {
    id,
    label,
    ...(icon !== undefined && { icon }),
    settings: placesSchema('channels', 'Channels'),
    settingsNow: () =>
      placesSchema(
        'channels',
        'Channels',
        roomsOf(ctx).map(({ channel }) => channel),
      ),
    async send({ channels }, notification, { signal }) {
      const rooms = roomsOf(ctx);
      const wanted = (channels as readonly string[]).map((name) => {
        const room = rooms.find(({ channel }) => channel === name);
        if (room === undefined)
          throw chatErrors.create('CHAT_CHANNEL_UNKNOWN', { service: label, channel: name });
        return room;
      });
      const body = JSON.stringify(toBody(messageText(notification).slice(0, longest)));
      const addresses = wanted.map(({ webhook_url: url }) => url);
      await told.tell(notification.id, addresses, (url) =>
        callService(ctx.get(OutboundToken), {
          service: label,
          url,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
          ...(meaningOf && { meaningOf }),
          signal,
        }),
      );
    },
  });
}
