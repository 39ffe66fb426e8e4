import { defineServerPlugin, OutboundToken } from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('notificationChannels', {
      // Stored with every use of the channel, so it never changes.
      id: 'my-plugin',
      label: 'My plugin',
      icon: 'comments',
      // A form is made of it. Who knows the address of an incoming webhook may write there, so it is a secret.
      settings: {
        type: 'object',
        required: ['address'],
        properties: {
          address: {
            type: 'string',
            title: 'Address of the webhook',
            format: 'secret',
            pattern: '^https?://',
          },
          sender: { type: 'string', title: 'Name of the sender', maxLength: 80 },
        },
      },
      async send({ address, sender }, { title, text, url }, { signal }) {
        const lines = [`*${title}*`, text, url].filter((line) => line !== undefined && line !== '');
        // Any member may type the address in, so the gate lets the call go to public addresses alone.
        const answer = await ctx.get(OutboundToken).fetch(String(address), {
          purpose: 'notification',
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ text: lines.join('\n'), ...(sender !== undefined && { username: sender }) }),
          signal,
        });
        // A `TrellisError` is told to people; anything else counts as an error of the plugin.
        if (answer.status >= 400)
          throw new TrellisError('MY_PLUGIN_REFUSED', `The chat answered ${answer.status}.`, {
            status: 502,
          });
      },
    });
  },
});
