import { defineServerPlugin, registerChat, testChat, type Chat } from '@trellis/sdk/server';

/** Inserts a zero-width space after each `@`, so that the text of a cell mentions nobody. */
const silenced = (text: string): string => text.replaceAll('@', '@\u200B');

const chat: Chat = {
  id: 'mattermost',
  label: 'Mattermost',
  icon: 'comments',
  longest: 16_000,
  toBody: (text) => ({ text: silenced(text) }),
  // For a deleted webhook, Mattermost answers 400 with this error id.
  meaningOf: ({ body }) =>
    new TextDecoder().decode(body).includes('web.incoming_webhook.invalid.app_error') ? 'gone' : undefined,
};

export default defineServerPlugin({
  setup: (ctx) => registerChat(ctx, chat),
  test: (ctx, values) => testChat(ctx, chat, values),
});
