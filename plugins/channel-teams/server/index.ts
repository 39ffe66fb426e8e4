import { defineServerPlugin, registerChat, testChat, type Chat } from '@trellis/sdk/server';

const chat: Chat = {
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
};

export default defineServerPlugin({
  setup: (ctx) => registerChat(ctx, chat),
  test: (ctx, values) => testChat(ctx, chat, values),
});
