import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  createTestServer,
  pluginState,
  testPlugin,
  type TestClient,
  type TestServer,
} from '@trellis/sdk/testing/server';
import { OidcClientToken, type OidcSettings } from '#plugins/auth-oidc/shared';

const site = 'https://data.example.com';
const path = '/api/v1/auth/providers/google';
const settingsPath = '/api/v1/app-store/plugins/auth-google/settings';

let server: TestServer;
let boss: TestClient;
/** What Google vouches for besides the address. */
let claims: Readonly<Record<string, unknown>>;
/** What the client was last started with. */
let started: OidcSettings | undefined;

/** Signs in as Google would, in place of the plugin that speaks OpenID Connect. */
const oidc = testPlugin('auth-oidc', (ctx) => {
  ctx.provide(OidcClientToken, () => ({
    async start(settings, { redirectUrl, state }) {
      started = settings;
      const search = new URLSearchParams({ ...settings.parameters, redirect_uri: redirectUrl, state });
      return { url: `https://accounts.google.com/o/oauth2/auth?${search.toString()}`, verifier: 'kept' };
    },
    callback: async () => ({
      subject: '1083',
      email: 'ann@example.com',
      isVerified: true,
      claims: { sub: '1083', email: 'ann@example.com', ...claims },
    }),
    test: async () => {},
  }));
});

beforeAll(async () => {
  server = await createTestServer({ plugins: [oidc], env: { TRELLIS_SITE_URL: site } });
  expect(await pluginState(server, 'auth-google')).toEqual(['enabled', undefined]);
  boss = await server.signUp('boss@example.com');
});
afterAll(() => server?.dispose());
beforeEach(() => {
  claims = {};
});

const save = async (hostedDomain: string) => {
  const input = { clientId: '42.apps.googleusercontent.com', clientSecret: 'secret', hostedDomain };
  expect((await boss.put(settingsPath, { input })).status).toBe(200);
};

function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

/** There and back: who is signed in afterwards, or why nobody is. */
async function signIn() {
  const out = await fetch(`${server.url}${path}/start`, { method: 'POST' });
  const url = new URL(((await out.json()) as { readonly url: string }).url);
  const search = new URLSearchParams({ code: 'good', state: url.searchParams.get('state') ?? '' });
  const back = await fetch(`${server.url}${path}/callback?${search.toString()}`, {
    redirect: 'manual',
    headers: { cookie: cookiesOf(out) },
  });
  const told = { headers: { cookie: cookiesOf(back) } };
  const outcome = await fetch(`${server.url}/api/v1/auth/providers/outcome`, told);
  const { problem } = (await outcome.json()) as {
    readonly problem?: { readonly code: string; readonly msg: string };
  };
  const refresh = await fetch(`${server.url}/api/v1/auth/token/refresh`, { method: 'POST', ...told });
  const { token } = (await refresh.json()) as { readonly token?: string };
  const me = await server.client.with({ token }).get<{ email?: string }>('/api/v1/auth/user/me');
  return { asked: url.searchParams.get('hd'), problem, email: me.body.email };
}

test('lets in accounts of the organisation alone, by what Google vouches for', async () => {
  await save('example.com');
  claims = { hd: 'example.com' };
  expect(await signIn()).toEqual({ asked: 'example.com', problem: undefined, email: 'ann@example.com' });
  const refused = {
    // What the address of the page wishes for says nothing.
    asked: 'example.com',
    problem: expect.objectContaining({
      code: 'GOOGLE_ORGANISATION',
      msg: 'Only accounts of example.com are let in.',
    }),
    email: undefined,
  };
  claims = { hd: 'example.com.evil.test' };
  expect(await signIn()).toEqual(refused);
  // A private account, though its address is of the organisation.
  claims = {};
  expect(await signIn()).toEqual(refused);
  claims = { hd: ['example.com'] };
  expect(await signIn()).toEqual(refused);
});

test('lets in every account where no organisation is named', async () => {
  await save('');
  for (const hd of [undefined, 'other.test']) {
    claims = { hd };
    expect(await signIn()).toEqual({ asked: null, problem: undefined, email: 'ann@example.com' });
  }
});

test('is asked as a registration that believes no address which Google did not verify', async () => {
  await save('example.com');
  await signIn();
  expect(started).toEqual({
    issuer: 'https://accounts.google.com',
    clientId: '42.apps.googleusercontent.com',
    clientSecret: 'secret',
    trustsAddresses: false,
    parameters: { hd: 'example.com' },
  });
  expect((await boss.post(`${settingsPath}/test`, { input: {} })).body).toMatchObject({ ok: true });
});
