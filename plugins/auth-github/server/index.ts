import { defineServerPlugin, OutboundToken } from '@trellis/sdk/server';
import { GithubClient, type GithubSettings } from './github-client.ts';

function readSettings(values: Readonly<Record<string, unknown>>): GithubSettings {
  const text = (key: string) => (typeof values[key] === 'string' ? values[key].trim() : '');
  return { clientId: text('clientId'), clientSecret: text('clientSecret'), server: text('server') };
}

export default defineServerPlugin({
  setup(ctx) {
    const client = new GithubClient(ctx.get(OutboundToken));
    const current = () => readSettings(ctx.settings.current);
    ctx.register('authProviders', {
      id: 'github',
      label: 'GitHub',
      icon: 'github',
      isConfigured: () => current().clientId !== '' && current().clientSecret !== '',
      start: (request) => Promise.resolve(client.start(current(), request)),
      callback: (back, { signal }) => client.callback(current(), back, signal),
    });
  },
  async test(ctx, values) {
    await new GithubClient(ctx.get(OutboundToken)).test(readSettings(values), ctx.signal);
    return { ok: true, message: 'GitHub answers, and knows the client id and the secret.' };
  },
});
