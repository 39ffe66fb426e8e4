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

interface TwilioSettings {
  readonly sid: string;
  readonly token: string;
  readonly from: string;
  readonly server: string;
}

const isWhole = ({ sid, token, from }: TwilioSettings): boolean => Boolean(sid && token && from);

const errors = defineErrors({
  TWILIO_INCOMPLETE: { status: 409, message: 'Twilio has no account yet; a super admin sets it.' },
});

const settings: SettingsSchema = {
  type: 'object',
  required: ['to'],
  properties: { to: phoneNumbersSchema },
};

/** The most characters of a message of Twilio. */
const longest = 1600;

/** Twilio's errors for a number that cannot send. https://www.twilio.com/docs/api/errors */
const wrongSender = /"code":\s*(?:21212|21606|21659|21660|63007)\b/;
const meaningOf = ({ body }: OutboundAnswer) =>
  wrongSender.test(new TextDecoder().decode(body)) ? ('gone' as const) : undefined;

const authorization = ({ sid, token }: TwilioSettings) =>
  `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`;
const accountOf = ({ server, sid }: TwilioSettings) =>
  `${server.replace(/\/$/, '')}/2010-04-01/Accounts/${encodeURIComponent(sid)}`;

function register(
  ctx: ServerPluginContext<TwilioSettings>,
  channel: { id: string; label: string; icon: string; prefix: string },
) {
  const { prefix, ...named } = channel;
  const told = new ToldPlaces();
  const current = () => ctx.settings.current;
  ctx.register('notificationChannels', {
    ...named,
    settings,
    isConfigured: () => isWhole(current()),
    async send({ to }, notification, { signal }) {
      const account = current();
      if (!isWhole(account)) throw errors.create('TWILIO_INCOMPLETE');
      const text = beginOf(messageText(notification), longest);
      await told.tell(notification.id, phoneNumbersIn(to), (number) =>
        callService(ctx.get(OutboundToken), {
          service: channel.label,
          url: `${accountOf(account)}/Messages.json`,
          method: 'POST',
          headers: {
            authorization: authorization(account),
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: new URLSearchParams({
            To: prefix + number,
            From: prefix + account.from,
            Body: text,
          }).toString(),
          meaningOf,
          signal,
        }),
      );
    },
  });
}

export default defineServerPlugin<TwilioSettings>({
  setup(ctx) {
    register(ctx, { id: 'twilio', label: 'Twilio', icon: 'phone', prefix: '' });
    register(ctx, { id: 'whatsapp-twilio', label: 'Whatsapp Twilio', icon: 'whatsapp', prefix: 'whatsapp:' });
  },
  async test(ctx, values) {
    const account = values;
    await callService(ctx.get(OutboundToken), {
      service: 'Twilio',
      url: `${accountOf(account)}.json`,
      headers: { authorization: authorization(account) },
      signal: ctx.signal,
    });
    return { ok: true, message: 'Twilio knows this account.' };
  },
});
