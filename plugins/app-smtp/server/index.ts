import { defineServerPlugin, OutboundToken } from '@trellis/sdk/server';
import { SmtpClient } from './smtp-client.ts';
import { checkDkim, isComplete, readSettings } from './smtp-settings.ts';

export default defineServerPlugin({
  setup(ctx) {
    const client = ctx.own(new SmtpClient(ctx.get(OutboundToken)));
    const current = () => readSettings(ctx.settings.current);
    ctx.register('mailAdapters', {
      id: 'smtp',
      label: 'SMTP',
      isConfigured: () => isComplete(current()),
      send: (message, { signal }) => client.send(current(), message, signal),
      verify: ({ signal }) => client.verify(current(), signal),
    });
  },
  willSave: async (_ctx, values) => checkDkim(values),
  async test(ctx, values) {
    checkDkim(values);
    await new SmtpClient(ctx.get(OutboundToken)).verify(readSettings(values), ctx.signal);
    return { ok: true, message: 'The mail server is there and lets this server in.' };
  },
});
