import { defineServerPlugin, OutboundToken } from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';

export default defineServerPlugin({
  setup(ctx) {
    async function post(path: string, body: unknown, signal: AbortSignal): Promise<void> {
      const { endpoint, apiKey } = ctx.settings.current;
      // Calls go through the gate for addresses that somebody typed in. This one is a super admin's, who may name a server of their own.
      const answer = await ctx.get(OutboundToken).fetch(`${String(endpoint)}${path}`, {
        purpose: 'mail',
        isSetBySuperAdmin: true,
        method: 'POST',
        headers: { authorization: `Bearer ${String(apiKey)}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal,
      });
      if (answer.status >= 400)
        throw new TrellisError('MY_PLUGIN_REFUSED', `The mail service answered ${answer.status}.`, {
          status: 502,
        });
    }

    ctx.register('mailAdapters', {
      id: 'my-plugin',
      label: 'My plugin',
      isConfigured: () => Boolean(ctx.settings.current['endpoint'] && ctx.settings.current['apiKey']),
      send: (message, { signal }) => post('/send', message, signal),
      verify: ({ signal }) => post('/verify', {}, signal),
    });
  },
});
