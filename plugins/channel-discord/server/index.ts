import { defineServerPlugin, registerChat } from '@trellis/sdk/server';

export default defineServerPlugin({
  setup(ctx) {
    registerChat(ctx, {
      id: 'discord',
      label: 'Discord',
      icon: 'discord',
      longest: 2000,
      // What a cell holds calls nobody.
      toBody: (content) => ({ content, allowed_mentions: { parse: [] } }),
    });
  },
});
