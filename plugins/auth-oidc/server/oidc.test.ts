import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { startOidcProvider, type LocalOidcProvider } from '../testing/oidc-provider.ts';

const site = 'https://data.example.com';
const path = '/api/v1/auth/providers/oidc';
const settingsPath = '/api/v1/app-store/plugins/auth-oidc/settings';

let server: TestServer;
let boss: TestClient;
let provider: LocalOidcProvider;

beforeAll(async () => {
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  provider = await startOidcProvider(`${site}${path}/callback`);
  server = await createTestServer({ env: { TRELLIS_SITE_URL: site } });
  boss = await server.signUp('boss@example.com');
});
afterAll(async () => {
  await server?.dispose();
  await provider?.close();
});

const settings = () => ({
  issuer: provider.issuer,
  clientId: provider.clientId,
  clientSecret: provider.clientSecret,
  label: 'Company',
});
const save = async (changed: object = {}) => {
  expect((await boss.put(settingsPath, { input: { ...settings(), ...changed } })).status).toBe(200);
};

async function begin() {
  const answer = await fetch(`${server.url}${path}/start`, { method: 'POST' });
  const { url } = (await answer.json()) as { readonly url: string };
  return { url: new URL(url), cookies: cookiesOf(answer) };
}

function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

async function comeBack(query: string, cookie: string) {
  const answer = await fetch(`${server.url}${path}/callback?${query}`, {
    redirect: 'manual',
    headers: { cookie },
  });
  const told = { headers: { cookie: cookiesOf(answer) } };
  const outcome = await fetch(`${server.url}/api/v1/auth/providers/outcome`, told);
  const { problem } = (await outcome.json()) as { readonly problem?: { readonly code: string } };
  const refresh = await fetch(`${server.url}/api/v1/auth/token/refresh`, { method: 'POST', ...told });
  const { token } = (await refresh.json()) as { readonly token?: string };
  const me = await server.client.with({ token }).get<{ email?: string }>('/api/v1/auth/user/me');
  return { code: problem?.code, email: me.body.email };
}

test('is offered under the name that the super admin gave it, and tried by the Test button', async () => {
  const tryOut = (values: object) => boss.post(`${settingsPath}/test`, { input: values });
  expect((await tryOut(settings())).body).toMatchObject({ ok: true });
  expect((await tryOut({ ...settings(), issuer: `${provider.issuer}/elsewhere` })).body).toMatchObject({
    ok: false,
    message: expect.stringContaining('No OpenID provider answers at'),
  });
  expect((await tryOut({ ...settings(), issuer: 'http://login.example.com' })).body).toMatchObject({
    ok: false,
    message: "The provider's address must begin with https://.",
  });
  await save();
  expect((await server.client.get('/api/v1/auth/providers')).body).toMatchObject({
    list: [{ id: 'oidc', label: 'Company' }],
  });
});

test('signs in by the code flow with PKCE and nonce, and knows the person again', async () => {
  await save();
  const first = await begin();
  expect(first.url.searchParams.get('code_challenge_method')).toBe('S256');
  expect(first.url.searchParams.get('nonce')).toMatch(/^[\w-]{20,}$/);
  const back = await provider.signIn(first.url, 'ann');
  expect(await comeBack(back, first.cookies)).toEqual({ code: undefined, email: 'ann@example.com' });
  const again = await begin();
  expect(await comeBack(await provider.signIn(again.url, 'ann'), again.cookies)).toEqual({
    code: undefined,
    email: 'ann@example.com',
  });
});

test('takes no code of another browser, none twice, and none of another provider', async () => {
  const mine = await begin();
  const theirs = await begin();
  const back = new URLSearchParams(await provider.signIn(mine.url, 'ann'));
  const swapped = new URLSearchParams(back);
  swapped.set('state', theirs.url.searchParams.get('state') ?? '');
  expect(await comeBack(swapped.toString(), theirs.cookies)).toMatchObject({ code: 'OIDC_UNTRUSTED' });
  const mixed = await begin();
  const mixedBack = new URLSearchParams(await provider.signIn(mixed.url, 'ann'));
  mixedBack.set('iss', 'https://evil.example');
  expect(await comeBack(mixedBack.toString(), mixed.cookies)).toMatchObject({ code: 'OIDC_UNTRUSTED' });
  const used = await begin();
  const usedBack = await provider.signIn(used.url, 'ann');
  expect(await comeBack(usedBack, used.cookies)).toMatchObject({ email: 'ann@example.com' });
  expect(await comeBack(usedBack, used.cookies)).toMatchObject({ code: 'OIDC_UNTRUSTED' });
});

test('believes an address that is not verified only where the super admin says so', async () => {
  const refused = await begin();
  const back = await provider.signIn(refused.url, 'unverified');
  expect(await comeBack(back, refused.cookies)).toEqual({ code: 'EMAIL_NOT_VERIFIED', email: undefined });
  await save({ trustsAddresses: true });
  const trusted = await begin();
  expect(await comeBack(await provider.signIn(trusted.url, 'unverified'), trusted.cookies)).toEqual({
    code: undefined,
    email: 'unverified@example.com',
  });
  await save();
});

test('says that somebody went back, or that the secret is wrong, and signs nobody in', async () => {
  const { url, cookies } = await begin();
  const state = url.searchParams.get('state') ?? '';
  const declined = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer });
  expect(await comeBack(declined.toString(), cookies)).toEqual({ code: 'OIDC_DECLINED', email: undefined });
  await save({ clientSecret: 'another' });
  const wrong = await begin();
  const back = await provider.signIn(wrong.url, 'ann');
  expect(await comeBack(back, wrong.cookies)).toEqual({ code: 'OIDC_UNTRUSTED', email: undefined });
  await save();
});

test('does not go where a cloud keeps its secrets, whoever says so', async () => {
  const lying = createServer((request, response) => {
    const { port } = lying.address() as AddressInfo;
    const issuer = `http://127.0.0.1:${port}`;
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: 'http://169.254.169.254/token',
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
      }),
    );
    void request;
  });
  await once(lying.listen(0, '127.0.0.1'), 'listening');
  await save({ issuer: `http://127.0.0.1:${(lying.address() as AddressInfo).port}` });
  const { url, cookies } = await begin();
  const back = new URLSearchParams({ code: '42', state: url.searchParams.get('state') ?? '' });
  expect(await comeBack(back.toString(), cookies)).toMatchObject({ code: 'OUTBOUND_REFUSED' });
  lying.close();
  await save();
});

test('the client secret is not kept for another provider', async () => {
  await save();
  const input = { ...settings(), clientSecret: '********' };
  expect((await boss.put(settingsPath, { input })).status).toBe(200);
  const moved = { ...input, issuer: `${provider.issuer}/elsewhere` };
  expect((await boss.put(settingsPath, { input: moved })).status).toBe(400);
});
