import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const site = 'https://data.example.com';
const path = '/api/v1/auth/providers/github';
const settingsPath = '/api/v1/app-store/plugins/auth-github/settings';
const primary = { email: 'octo@example.com', primary: true, verified: true, visibility: 'private' };

let server: TestServer;
let boss: TestClient;
let github: Server;
/** What `/user/emails` lists. */
let emails: readonly object[];
/** What the browser was last sent away with. */
let challenge = '';

/** Answers in the shapes that GitHub publishes, as a server of one's own: its API is below `/api/v3`. */
async function startGithub(): Promise<Server> {
  const listening = createServer((request, response) => {
    const answer = (body: unknown, status = 200) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const isSignedIn = request.headers.authorization === 'Bearer gho_1';
    if (request.url === '/login/oauth/access_token')
      void text(request).then((body) => answer(exchange(new URLSearchParams(body))));
    else if (!isSignedIn) answer({ message: 'Bad credentials', status: '401' }, 401);
    else if (request.url === '/api/v3/user') answer({ login: 'octo', id: 583231, name: 'Octo', email: null });
    else if (request.url === '/api/v3/user/emails') answer(emails);
    else answer({ message: 'Not Found' }, 404);
  });
  await once(listening.listen(0, '127.0.0.1'), 'listening');
  return listening;
}

/** Errors come with the status 200. */
function exchange(fields: URLSearchParams): object {
  const error = (name: string) => ({ error: name, error_description: 'words of GitHub' });
  if (fields.get('client_id') !== 'Iv1.a' || fields.get('client_secret') !== 'secret')
    return error('incorrect_client_credentials');
  const verifier = fields.get('code_verifier') ?? '';
  const isProven = createHash('sha256').update(verifier).digest('base64url') === challenge;
  if (fields.get('code') !== 'good' || !isProven) return error('bad_verification_code');
  return { access_token: 'gho_1', token_type: 'bearer', scope: 'read:user,user:email' };
}

beforeAll(async () => {
  github = await startGithub();
  server = await createTestServer({ env: { TRELLIS_SITE_URL: site } });
  boss = await server.signUp('boss@example.com');
});
afterAll(async () => {
  await server?.dispose();
  github?.close();
});
beforeEach(() => {
  emails = [{ email: 'other@example.com', primary: false, verified: true, visibility: null }, primary];
});

const settings = () => ({
  clientId: 'Iv1.a',
  clientSecret: 'secret',
  server: `http://127.0.0.1:${(github.address() as AddressInfo).port}`,
});
const save = async (changed: object = {}) => {
  expect((await boss.put(settingsPath, { input: { ...settings(), ...changed } })).status).toBe(200);
};

function cookiesOf(answer: Response): string {
  const cookies = answer.headers.getSetCookie();
  return cookies.map((cookie) => cookie.split(';')[0]).join('; ');
}

/** There and back. */
async function signIn(query: Readonly<Record<string, string>> = { code: 'good' }) {
  const out = await fetch(`${server.url}${path}/start`, { method: 'POST' });
  const url = new URL(((await out.json()) as { readonly url: string }).url);
  challenge = url.searchParams.get('code_challenge') ?? '';
  const search = new URLSearchParams({ ...query, state: url.searchParams.get('state') ?? '' });
  const back = await fetch(`${server.url}${path}/callback?${search.toString()}`, {
    redirect: 'manual',
    headers: { cookie: cookiesOf(out) },
  });
  const told = { headers: { cookie: cookiesOf(back) } };
  const outcome = await fetch(`${server.url}/api/v1/auth/providers/outcome`, told);
  const { problem } = (await outcome.json()) as { readonly problem?: { readonly code: string } };
  const refresh = await fetch(`${server.url}/api/v1/auth/token/refresh`, { method: 'POST', ...told });
  const { token } = (await refresh.json()) as { readonly token?: string };
  const me = await server.client.with({ token }).get<{ email?: string }>('/api/v1/auth/user/me');
  return { code: problem?.code, email: me.body.email };
}

test('signs in with the primary address that GitHub verified', async () => {
  await save();
  expect(await signIn()).toEqual({ code: undefined, email: 'octo@example.com' });
  emails = [{ ...primary, email: 'new@example.com' }];
  // The same person by the number of the account, whatever the address is by now.
  expect(await signIn()).toEqual({ code: undefined, email: 'octo@example.com' });
});

test('signs nobody in without an address that GitHub verified', async () => {
  await save();
  emails = [{ ...primary, verified: false }];
  expect(await signIn()).toEqual({ code: 'GITHUB_NO_EMAIL', email: undefined });
});

test('says that somebody went back, and what is wrong with the settings', async () => {
  await save();
  expect(await signIn({ error: 'access_denied' })).toMatchObject({ code: 'GITHUB_DECLINED' });
  expect(await signIn({ code: 'used' })).toMatchObject({ code: 'GITHUB_DECLINED' });
  await save({ clientSecret: 'another' });
  expect(await signIn()).toMatchObject({ code: 'GITHUB_REFUSED' });
  const tryOut = (values: object) => boss.post(`${settingsPath}/test`, { input: values });
  expect((await tryOut(settings())).body).toMatchObject({ ok: true });
  expect((await tryOut({ ...settings(), clientSecret: 'another' })).body).toMatchObject({ ok: false });
});

test('stands beside other providers on the sign-in page, each once it is set up', async () => {
  await save();
  const google = { clientId: 'id.apps.googleusercontent.com', clientSecret: 'secret' };
  const saved = await boss.put('/api/v1/app-store/plugins/auth-google/settings', {
    input: google,
  });
  expect(saved.status).toBe(200);
  const offered = await server.client.get<{ list: readonly { id: string }[] }>('/api/v1/auth/providers');
  expect(offered.body.list.map(({ id }) => id).sort()).toEqual(['github', 'google']);
  // Clients of the v1 API look for them here.
  const info = await server.client.get('/api/v1/db/meta/nocodb/info');
  expect(info.body).toMatchObject({ googleAuthEnabled: true, githubAuthEnabled: true });
});
