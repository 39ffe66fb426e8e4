import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { AuthIdentity } from '@trellis/sdk/server';
import { createTestServer, testPlugin, type TestServer } from '@trellis/sdk/testing/server';

const site = 'https://data.example.com';
const ann: AuthIdentity = { subject: 'A1', email: 'ann@example.com', isVerified: true, firstname: 'Ann' };

let server: TestServer;
let identity: AuthIdentity;
/** What the provider was last given when somebody came back. */
let back: unknown;

const directory = testPlugin('directory', (ctx) => {
  ctx.register('authProviders', {
    id: 'directory',
    label: 'Directory',
    isConfigured: () => true,
    start: async ({ redirectUrl, state }) => ({
      url: `https://directory.example/login?to=${encodeURIComponent(redirectUrl)}&state=${state}`,
      verifier: 'kept in the browser',
    }),
    async callback(given) {
      back = given;
      return identity;
    },
  });
});

beforeAll(async () => {
  server = await createTestServer({ plugins: [directory], env: { TRELLIS_SITE_URL: site } });
});
afterAll(() => server.dispose());
beforeEach(() => {
  identity = ann;
});

const path = '/api/v1/auth/providers/directory';

/** A browser that follows no redirect by itself. */
async function go(to: string, cookies: readonly string[] = []) {
  const headers = { cookie: cookies.join('; ') };
  const answer = await fetch(`${server.url}${to}`, { redirect: 'manual', headers });
  const kept = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const body: unknown = answer.status === 302 ? undefined : await answer.json();
  return { status: answer.status, location: answer.headers.get('location') ?? '', kept, body };
}

async function signIn() {
  const out = await go(`${path}/start`);
  const state = new URL(out.location).searchParams.get('state') ?? '';
  return go(`${path}/callback?code=42&state=${state}`, out.kept);
}

async function whoHas(cookies: readonly string[]): Promise<string | undefined> {
  const refresh = await fetch(`${server.url}/api/v1/auth/token/refresh`, {
    method: 'POST',
    headers: { cookie: cookies.join('; ') },
  });
  const { token } = (await refresh.json()) as { token?: string };
  const { body } = await server.client.with({ token }).get<{ email?: string }>('/api/v1/auth/user/me');
  return body.email;
}

test('offers what is registered and configured', async () => {
  expect((await server.client.get('/api/v1/auth/providers')).body).toMatchObject({
    list: [{ id: 'directory', label: 'Directory' }],
  });
});

test('makes an account at the first time, and finds it again by who the person is', async () => {
  const first = await signIn();
  expect([first.status, first.location]).toEqual([302, `${site}/`]);
  expect(back).toMatchObject({
    query: { code: '42' },
    redirectUrl: `${site}${path}/callback`,
    verifier: 'kept in the browser',
  });
  expect(await whoHas(first.kept)).toBe('ann@example.com');
  identity = { ...ann, email: 'ann.married@example.com' };
  expect(await whoHas((await signIn()).kept)).toBe('ann@example.com');
});

test('takes nobody over whose address has an account already', async () => {
  await server.signUp('bob@example.com');
  identity = { ...ann, subject: 'B1', email: 'Bob@example.com' };
  expect(await signIn()).toMatchObject({ status: 409, body: { code: 'ACCOUNT_ELSEWHERE' } });
});

test('believes no address that the provider does not vouch for', async () => {
  identity = { ...ann, subject: 'C1', email: 'carol@example.com', isVerified: false };
  expect(await signIn()).toMatchObject({ status: 403, body: { code: 'EMAIL_NOT_VERIFIED' } });
});

test('lets nobody come back who did not begin here', async () => {
  const out = await go(`${path}/start`);
  const state = new URL(out.location).searchParams.get('state') ?? '';
  const stale = { status: 400, body: { code: 'SIGN_IN_STALE' } };
  expect(await go(`${path}/callback?code=42&state=${state}`)).toMatchObject(stale);
  expect(await go(`${path}/callback?code=42&state=other`, out.kept)).toMatchObject(stale);
  expect(await go(`${path}/callback?code=42`, out.kept)).toMatchObject(stale);
});

test('is not offered while its plugin is off', async () => {
  await server.host.plugins.disable('directory', { cascade: [] });
  expect((await server.client.get('/api/v1/auth/providers')).body).toEqual({ list: [] });
  expect(await go(`${path}/start`)).toMatchObject({ status: 404, body: { code: 'AUTH_PROVIDER_ABSENT' } });
  await server.host.plugins.enable('directory');
});
