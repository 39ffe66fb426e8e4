import { defineServerPlugin, registerChat } from '@trellis/sdk/server';

export default defineServerPlugin({
  setup(ctx) {
    registerChat(ctx, {
      id: 'teams',
      label: 'Microsoft Teams',
      icon: 'microsoft',
      longest: 20_000,
      toBody: (text) => ({
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            content: {
              $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
              type: 'AdaptiveCard',
              version: '1.4',
              body: [{ type: 'TextBlock', text, wrap: true }],
            },
          },
        ],
      }),
    });
  },
});
