import { defineServerPlugin, registerChat, testChat, type Chat } from '@trellis/sdk/server';

/** Escapes Slack's three control characters, so that the text of a cell cannot mention a whole channel. */
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
