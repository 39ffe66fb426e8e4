import { defineServerPlugin, registerChat, testChat, type Chat } from '@trellis/sdk/server';

/** A sign without width behind each `@`: what a cell holds calls nobody. */
const silenced = (text: string): string => text.replaceAll('@', '@\u200B');

const chat: Chat = {
  id: 'mattermost',
  label: 'Mattermost',
  icon: 'comments',
  longest: 16_000,
  toBody: (text) => ({ text: silenced(text) }),
  // Of a webhook that was deleted Mattermost says so by the id of its error, with the status 400.
  meaningOf: ({ body }) =>
    new TextDecoder().decode(body).includes('web.incoming_webhook.invalid.app_error') ? 'gone' : undefined,
};

export default defineServerPlugin({
  setup: (ctx) => registerChat(ctx, chat),
  test: (ctx, values) => testChat(ctx, chat, values),
});
