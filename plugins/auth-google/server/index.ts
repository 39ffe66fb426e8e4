import { defineServerPlugin } from '@trellis/sdk/server';
import { defineErrors } from '@trellis/sdk/shared';
import { OidcClientToken, type OidcSettings } from '#plugins/auth-oidc/shared';

const googleErrors = defineErrors({
  GOOGLE_ORGANISATION: { status: 403, message: 'Only accounts of {domain} are let in.' },
});

type Values = Readonly<Record<string, unknown>>;

function textOf(values: Values, key: string): string {
  return typeof values[key] === 'string' ? values[key].trim() : '';
}

function readSettings(values: Values): OidcSettings {
  const domain = textOf(values, 'hostedDomain');
  return {
    issuer: 'https://accounts.google.com',
    clientId: textOf(values, 'clientId'),
    clientSecret: textOf(values, 'clientSecret'),
    trustsAddresses: false,
    ...(domain !== '' && { parameters: { hd: domain } }),
  };
}

export default defineServerPlugin({
  setup(ctx) {
    const client = ctx.get(OidcClientToken);
    const current = () => readSettings(ctx.settings.current);
    ctx.register('authProviders', {
      id: 'google',
      label: 'Google',
      icon: 'google',
      isConfigured: () => current().clientId !== '' && current().clientSecret !== '',
      start: (request, { signal }) => client.start(current(), request, signal),
      async callback(back, { signal }) {
        const identity = await client.callback(current(), back, signal);
        // The person can remove the parameter from the address; the claim is confirmed by Google.
        const domain = textOf(ctx.settings.current, 'hostedDomain');
        if (domain !== '' && identity.claims['hd'] !== domain)
          throw googleErrors.create('GOOGLE_ORGANISATION', { domain });
        return identity;
      },
    });
  },
  async test(ctx, values) {
    await ctx.get(OidcClientToken).test(readSettings(values), ctx.signal);
    return { ok: true, message: 'Google answers. The client secret is first tried by a sign-in.' };
  },
});
