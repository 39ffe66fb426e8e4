import { defineServerPlugin, registerChat, testChat, type Chat } from '@trellis/sdk/server';

/** The three signs that Slack reads as its own: with them nobody calls a whole channel by a cell's text. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const chat: Chat = {
  id: 'slack',
  label: 'Slack',
  icon: 'slack',
  longest: 40_000,
  toBody: (text) => ({ text: escaped(text) }),
};

export default defineServerPlugin({
  setup: (ctx) => registerChat(ctx, chat),
  test: (ctx, values) => testChat(ctx, chat, values),
});
