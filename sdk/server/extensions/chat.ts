import {
  beginOf,
  defineErrors,
  TrellisError,
  type JsonSchema,
  type SettingsSchema,
} from '../../shared/index.ts';
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

/** The settings of a plugin that calls `registerChat`, as far as it reads them. @public */
export interface ChatSettings {
  /** A list of `{ channel, webhook_url }`. */
  readonly channels?: unknown;
}

/**
 * The channels that a super admin named in the setting `channels` of the plugin, with the addresses that no member ever sees: a list
 * of `{ channel, webhook_url }`.
 */
const roomsIn = ({ channels }: ChatSettings): readonly ChatRoom[] =>
  Array.isArray(channels) ? (channels as readonly ChatRoom[]) : [];

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
      ? 'None is set up yet. A super admin adds them in the settings of the plugin.'
      : 'Set up in the settings of the plugin.';
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

/** Sends a text to an address of a chat. */
function tellingOf(ctx: Pick<ServerPluginContext, 'get'>, chat: Chat, signal: AbortSignal) {
  const { label, longest, toBody, meaningOf } = chat;
  return (url: string, text: string) =>
    callService(ctx.get(OutboundToken), {
      service: label,
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(toBody(beginOf(text, longest))),
      ...(meaningOf && { meaningOf }),
      signal,
    });
}

/** Registers a chat as a notification channel. @public */
export function registerChat(ctx: ServerPluginContext<ChatSettings>, chat: Chat): void {
  const { id, label, icon } = chat;
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
        roomsIn(ctx.settings.current).map(({ channel }) => channel),
      ),
    isConfigured: () => roomsIn(ctx.settings.current).length > 0,
    async send({ channels }, notification, { signal }) {
      const rooms = roomsIn(ctx.settings.current);
      const wanted = (channels as readonly string[]).map((name) => {
        const room = rooms.find(({ channel }) => channel === name);
        if (room === undefined)
          throw chatErrors.create('CHAT_CHANNEL_UNKNOWN', { service: label, channel: name });
        return room;
      });
      const text = messageText(notification);
      const addresses = wanted.map(({ webhook_url: url }) => url);
      const tell = tellingOf(ctx, chat, signal);
      await told.tell(notification.id, addresses, (url) => tell(url, text));
    },
  });
}

/** Milliseconds after which a test tells what it knows by then: the one who waits for it waits for half a minute. */
const longestTest = 25_000;
/** Channels that are tried at once. */
const triedAtOnce = 4;

/**
 * Tries the settings of a plugin that calls `registerChat`, behind its Test button: an address is known to work once it has taken a message,
 * so each channel gets a short one with its name. Channels that have said nothing after 25 seconds are named as such.
 * @public
 */
export async function testChat(
  ctx: Pick<ServerPluginContext, 'get' | 'signal'>,
  chat: Chat,
  settings: ChatSettings,
): Promise<{ readonly ok: boolean; readonly message: string }> {
  const rooms = roomsIn(settings);
  if (rooms.length === 0) return { ok: false, message: 'No channel is named here yet.' };
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(longestTest)]);
  const tell = tellingOf(ctx, chat, signal);
  /** By their places; undefined for a channel that has taken its message. */
  const refusals: (string | undefined)[] = rooms.map(() => undefined);
  const silent = new Set(rooms);
  const waiting = rooms.entries();
  const tryOthers = async () => {
    for (const [place, room] of waiting) {
      if (signal.aborted) return;
      const { channel, webhook_url: url } = room;
      try {
        await tell(url, `Trellis tries the channel “${channel}”. What it tells arrives here.`);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof TrellisError)) throw error;
        refusals[place] = `${channel}: ${error.message}`;
      }
      silent.delete(room);
    }
  };
  await Promise.all(Array.from({ length: triedAtOnce }, tryOthers));
  const namesOf = (all: readonly ChatRoom[]) => all.map(({ channel }) => channel).join(', ');
  const late = silent.size > 0 ? [`${chat.label} has said nothing in time for ${namesOf([...silent])}.`] : [];
  const problems = [...refusals.filter((of) => of !== undefined), ...late];
  if (problems.length > 0) return { ok: false, message: problems.join(' ') };
  return { ok: true, message: `${chat.label} has taken a message for ${namesOf(rooms)}.` };
}
