import {
  callService,
  defineServerPlugin,
  messageText,
  OutboundToken,
  placesSchema,
  ToldPlaces,
  type OutboundAnswer,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { beginOf, defineErrors } from '@trellis/sdk/shared';

interface Chat {
  readonly chat: string;
  readonly chat_id: string;
}

interface TelegramSettings {
  readonly token: string;
  readonly chats?: readonly Chat[];
  readonly server: string;
}

const errors = defineErrors({
  TELEGRAM_CHAT_UNKNOWN: { status: 400, message: "The settings of Telegram name no chat '{chat}' any more." },
  TELEGRAM_TOKEN_MISSING: { status: 409, message: 'Telegram has no token of a bot yet.' },
});

/** The most characters of a message of Telegram. */
const longest = 4096;

/**
 * Telegram answers 400 if a chat was deleted, or has become a supergroup with another id.
 * https://core.telegram.org/bots/api#responseparameters
 */
const meaningOf = ({ status, body }: OutboundAnswer) =>
  status === 400 && /chat not found|migrate_to_chat_id/i.test(new TextDecoder().decode(body))
    ? ('gone' as const)
    : undefined;

function callOf(
  ctx: Pick<ServerPluginContext, 'get'>,
  { token, server }: TelegramSettings,
  signal: AbortSignal,
) {
  return (method: string, body: object) =>
    callService(ctx.get(OutboundToken), {
      service: 'Telegram',
      url: `${server.replace(/\/$/, '')}/bot${encodeURIComponent(token).replaceAll('%3A', ':')}/${method}`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      meaningOf,
      signal,
    });
}

export default defineServerPlugin<TelegramSettings>({
  setup(ctx) {
    const told = new ToldPlaces();
    const current = () => ctx.settings.current;
    ctx.register('notificationChannels', {
      id: 'telegram',
      label: 'Telegram',
      icon: 'telegram',
      settings: placesSchema('chats', 'Chats'),
      settingsNow: () =>
        placesSchema(
          'chats',
          'Chats',
          (current().chats ?? []).map(({ chat }) => chat),
        ),
      isConfigured: () => Boolean(current().token) && (current().chats ?? []).length > 0,
      async send({ chats }, notification, { signal }) {
        const settings = current();
        if (!settings.token) throw errors.create('TELEGRAM_TOKEN_MISSING');
        const ids = (chats as readonly string[]).map((name) => {
          const found = settings.chats?.find(({ chat }) => chat === name);
          if (found === undefined) throw errors.create('TELEGRAM_CHAT_UNKNOWN', { chat: name });
          return found.chat_id;
        });
        const text = beginOf(messageText(notification), longest);
        const call = callOf(ctx, settings, signal);
        await told.tell(notification.id, ids, (chat_id) =>
          call('sendMessage', { chat_id, text, link_preview_options: { is_disabled: true } }),
        );
      },
    });
  },
  async test(ctx, values) {
    await callOf(ctx, values, ctx.signal)('getMe', {});
    return { ok: true, message: 'Telegram knows this bot.' };
  },
});
