import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { clientId, startLyingProvider, type LyingProvider, type Told } from '../testing/lying-provider.ts';

const site = 'https://data.example.com';
const path = '/api/v1/auth/providers/oidc';

let server: TestServer;
let boss: TestClient;
let provider: LyingProvider;

async function setUp(more: object = {}) {
  const input = { issuer: provider.issuer, clientId, clientSecret: 'secret', label: 'Company', ...more };
  expect((await boss.put('/api/v1/app-store/plugins/auth-oidc/settings', { input })).status).toBe(200);
}

beforeAll(async () => {
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  provider = await startLyingProvider();
  server = await createTestServer({ env: { TRELLIS_SITE_URL: site } });
  boss = await server.signUp('boss@example.com');
  await setUp();
});
afterAll(async () => {
  await server?.dispose();
  await provider?.close();
});

function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

async function begin(headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${server.url}${path}/start`, { method: 'POST', headers });
  const url = new URL(((await answer.json()) as { readonly url: string }).url);
  const of = (name: string) => url.searchParams.get(name) ?? '';
  return { cookie: cookiesOf(answer), state: of('state'), nonce: of('nonce'), redirect: of('redirect_uri') };
}

/** Comes back as a browser does. Says where it was sent, and who is signed in. */
async function comeBack(query: string, cookie: string) {
  const answer = await fetch(`${server.url}${path}/callback?${query}`, {
    redirect: 'manual',
    headers: { cookie },
  });
  const told = { headers: { cookie: cookiesOf(answer) } };
  const refresh = await fetch(`${server.url}/api/v1/auth/token/refresh`, { method: 'POST', ...told });
  const { token } = (await refresh.json()) as { readonly token?: string };
  const me = await server.client.with({ token }).get<{ email?: string }>('/api/v1/auth/user/me');
  const to = new URL(answer.headers.get('location') ?? '', site);
  return { status: answer.status, origin: to.origin, email: me.body.email };
}

const queryOf = (state: string, more: Readonly<Record<string, string>> = {}) =>
  new URLSearchParams({ code: 'abc', state, iss: provider.issuer, ...more }).toString();

async function signInBy(told: Told) {
  const { cookie, state, nonce } = await begin();
  provider.tell(nonce, told);
  return comeBack(queryOf(state), cookie);
}

test('believes no token that is not made for this sign-in, by this provider and for this server', async () => {
  const now = Math.floor(Date.now() / 1000);
  const lies: Readonly<Record<string, Told>> = {
    'another nonce': { claims: { nonce: 'another' } },
    'no nonce': { claims: { nonce: undefined } },
    'an empty nonce': { claims: { nonce: '' } },
    'another audience': { claims: { aud: 'another' } },
    'several audiences, and somebody else asked': { claims: { aud: [clientId, 'x'], azp: 'x' } },
    'another issuer': { claims: { iss: 'https://evil.example' } },
    'a token that has ended': { claims: { iat: now - 7200, exp: now - 3600 } },
    nobody: { claims: { sub: '' } },
    'a key that is not published': { signedBy: 'other' },
    'no signature': { signedBy: 'none' },
    'no algorithm': { header: { alg: 'none' }, signedBy: 'none' },
    'the public key as a secret': { header: { alg: 'HS256' } },
    'the client secret in place of a key': { secret: 'secret' },
  };
  for (const [lie, told] of Object.entries(lies)) {
    const { origin, email } = await signInBy(told);
    expect({ lie, origin, email }).toEqual({ lie, origin: site, email: undefined });
  }
  expect(await signInBy({})).toMatchObject({ origin: site, email: 'ann@example.com' });
});

test('believes tokens that are signed with the client secret where the provider signs so, and no others then', async () => {
  await setUp({ isSignedBySecret: true });
  const lies: Readonly<Record<string, Told>> = {
    'another secret': { secret: 'another' },
    'no secret': { secret: '' },
    'a key of the provider': {},
    'no signature': { header: { alg: 'HS256' }, signedBy: 'none' },
    'no algorithm': { header: { alg: 'none' }, signedBy: 'none' },
    'another nonce': { secret: 'secret', claims: { nonce: 'another' } },
    'another audience': { secret: 'secret', claims: { aud: 'another' } },
  };
  for (const [lie, told] of Object.entries(lies)) {
    const { origin, email } = await signInBy(told);
    expect({ lie, origin, email }).toEqual({ lie, origin: site, email: undefined });
  }
  expect(await signInBy({ secret: 'secret' })).toMatchObject({ origin: site, email: 'ann@example.com' });
  await setUp({ isSignedBySecret: true, clientSecret: '' });
  const start = await fetch(`${server.url}${path}/start`, { method: 'POST' });
  expect(await start.json()).toMatchObject({ code: 'OIDC_INCOMPLETE' });
  await setUp();
});

test('takes nobody back with another state, without one, or by the answer of another provider', async () => {
  const { cookie, state, nonce } = await begin();
  provider.tell(nonce, {});
  const tries = [
    queryOf('another'),
    queryOf(''),
    new URLSearchParams({ code: 'abc', iss: provider.issuer }).toString(),
    `${queryOf(state)}&state=another`,
    queryOf(state, { iss: 'https://evil.example' }),
    new URLSearchParams({ code: 'abc', state }).toString(),
  ];
  for (const query of tries) {
    const fresh = await begin();
    provider.tell(fresh.nonce, {});
    const { email } = await comeBack(query.replaceAll(state, fresh.state), fresh.cookie);
    expect({ query, email }).toEqual({ query, email: undefined });
  }
  // What came with a state is good for the browser that began, and for no other.
  expect(await comeBack(queryOf(state), '')).toMatchObject({ email: undefined });
  provider.tell(nonce, {});
  expect(await comeBack(queryOf(state), cookie)).toMatchObject({ email: 'ann@example.com' });
});

test('leads nobody elsewhere, whatever the request says of where it came from', async () => {
  const hosts = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example',
  };
  const { cookie, state, nonce, redirect } = await begin(hosts);
  expect(redirect).toBe(`${site}${path}/callback`);
  provider.tell(nonce, {});
  const more = { redirect: 'https://evil.example', returnTo: '//evil.example', next: 'https://evil.example' };
  expect(await comeBack(queryOf(state, more), cookie)).toMatchObject({ origin: site });
});
