import {
  callService,
  defineServerPlugin,
  messageText,
  OutboundToken,
  phoneNumbersIn,
  phoneNumbersSchema,
  ToldPlaces,
  type OutboundAnswer,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { beginOf, defineErrors, type SettingsSchema } from '@trellis/sdk/shared';

/*
 * https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages
 * https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes
 */

interface WhatsappSettings {
  readonly phoneNumberId: string;
  readonly token: string;
  readonly version: string;
  readonly server: string;
}

interface Use {
  readonly to?: unknown;
  readonly template?: unknown;
  readonly language?: unknown;
}

const isWhole = ({ phoneNumberId, token }: WhatsappSettings): boolean => Boolean(phoneNumberId && token);

const errors = defineErrors({
  WHATSAPP_INCOMPLETE: { status: 409, message: 'WhatsApp has no sending number yet; a super admin sets it.' },
});

const settings: SettingsSchema = {
  type: 'object',
  required: ['to'],
  properties: {
    to: { ...phoneNumbersSchema, 'x-ui': { order: 1 } },
    template: {
      type: 'string',
      title: 'Template',
      description:
        'The name of an approved template with one variable in its body, which the message is put into. Without one, only those get the message who wrote to the number within 24 hours.',
      maxLength: 512,
      pattern: '^[a-z0-9_]*$',
      'x-ui': { order: 2 },
    },
    language: {
      type: 'string',
      title: 'Language of the template',
      description: 'A code such as en_US or de.',
      default: 'en_US',
      maxLength: 20,
      'x-ui': { order: 3 },
    },
  },
};

/** The most characters of a message's text, and of a template's variable. */
const longest = { text: 4096, variable: 1024 } as const;

/** Too many calls or messages, with the status 400: the same message is accepted later. */
const busy: ReadonlySet<number> = new Set([4, 80007, 130429, 131048, 131056]);
/** The sending number was deleted, or is not registered. */
const gone: ReadonlySet<number> = new Set([33, 133010]);

/** The meaning of a refusal by the code in its body. */
function meaningOf({ body }: OutboundAnswer): 'gone' | 'busy' | undefined {
  const code = codeIn(new TextDecoder().decode(body));
  if (code === undefined) return undefined;
  return busy.has(code) ? 'busy' : gone.has(code) ? 'gone' : undefined;
}

function codeIn(text: string): number | undefined {
  const [, code] = /"code"\s*:\s*(\d{1,9})\b/.exec(text) ?? [];
  return code === undefined ? undefined : Number(code);
}

/** The content of the message: a text, or a template with the text as its variable, which accepts no line breaks and few spaces. */
function messageOf(text: string, { template, language }: Use): object {
  if (typeof template !== 'string' || template === '')
    return { type: 'text', text: { preview_url: false, body: beginOf(text, longest.text) } };
  const variable = beginOf(text.replace(/\s+/g, ' ').trim(), longest.variable);
  return {
    type: 'template',
    template: {
      name: template,
      language: { code: typeof language === 'string' && language !== '' ? language : 'en_US' },
      components: [{ type: 'body', parameters: [{ type: 'text', text: variable }] }],
    },
  };
}

function callOf(ctx: Pick<ServerPluginContext, 'get'>, of: WhatsappSettings, signal: AbortSignal) {
  const { server, version, phoneNumberId, token } = of;
  const base = `${server.replace(/\/$/, '')}/${version}/${encodeURIComponent(phoneNumberId)}`;
  return (path: string, body?: object) =>
    callService(ctx.get(OutboundToken), {
      service: 'WhatsApp',
      url: base + path,
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      meaningOf,
      signal,
    });
}

export default defineServerPlugin<WhatsappSettings>({
  setup(ctx) {
    const told = new ToldPlaces();
    const current = () => ctx.settings.current;
    ctx.register('notificationChannels', {
      id: 'whatsapp',
      label: 'WhatsApp',
      icon: 'whatsapp',
      settings,
      isConfigured: () => isWhole(current()),
      async send(use, notification, { signal }) {
        const account = current();
        if (!isWhole(account)) throw errors.create('WHATSAPP_INCOMPLETE');
        const message = messageOf(messageText(notification), use);
        const call = callOf(ctx, account, signal);
        await told.tell(notification.id, phoneNumbersIn(use.to), (to) =>
          call('/messages', {
            messaging_product: 'whatsapp',
            recipient_type: 'individual',
            to,
            ...message,
          }),
        );
      },
    });
  },
  async test(ctx, values) {
    const call = callOf(ctx, values, ctx.signal);
    await call('?fields=display_phone_number');
    return { ok: true, message: 'WhatsApp knows this number.' };
  },
});
