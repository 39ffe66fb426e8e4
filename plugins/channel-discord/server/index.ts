import { defineServerPlugin, registerChat, testChat, type Chat } from '@trellis/sdk/server';

const chat: Chat = {
  id: 'discord',
  label: 'Discord',
  icon: 'discord',
  longest: 2000,
  // The text of a cell must not mention anybody.
  toBody: (content) => ({ content, allowed_mentions: { parse: [] } }),
};

export default defineServerPlugin({
  setup: (ctx) => registerChat(ctx, chat),
  test: (ctx, values) => testChat(ctx, chat, values),
});
