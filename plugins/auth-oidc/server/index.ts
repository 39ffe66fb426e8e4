import { defineServerPlugin, OutboundToken } from '@trellis/sdk/server';
import { OidcClientToken, type OidcSettings } from '../shared/index.ts';
import { OpenidOidcClient } from './openid-oidc-client.ts';

type Values = Readonly<Record<string, unknown>>;

function textOf(values: Values, key: string): string {
  return typeof values[key] === 'string' ? values[key].trim() : '';
}

function readSettings(values: Values): OidcSettings {
  return {
    issuer: textOf(values, 'issuer'),
    clientId: textOf(values, 'clientId'),
    clientSecret: textOf(values, 'clientSecret'),
    trustsAddresses: values['trustsAddresses'] === true,
    isSignedBySecret: values['isSignedBySecret'] === true,
  };
}

export default defineServerPlugin({
  setup(ctx) {
    const client = new OpenidOidcClient(ctx.get(OutboundToken), (error) =>
      ctx.logger.warn('the OpenID provider was not understood', { error: String(error) }),
    );
    const current = () => readSettings(ctx.settings.current);
    ctx.provide(OidcClientToken, () => client);
    ctx.register('authProviders', {
      id: 'oidc',
      get label() {
        return textOf(ctx.settings.current, 'label') || 'OpenID Connect';
      },
      icon: 'key',
      isConfigured: () => current().issuer !== '' && current().clientId !== '',
      start: (request, { signal }) => client.start(current(), request, signal),
      callback: (back, { signal }) => client.callback(current(), back, signal),
    });
  },
  async test(ctx, values) {
    await new OpenidOidcClient(ctx.get(OutboundToken)).test(readSettings(values), ctx.signal);
    return { ok: true, message: 'The provider is there. The client secret is first tried by a sign-in.' };
  },
});
