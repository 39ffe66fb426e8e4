import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { AccountStoreToken, type AuthIdentity } from '@trellis/sdk/server';
import { testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { describeEachHome, type StartServer } from './each-home.ts';

const site = 'https://data.example.com';
const ann: AuthIdentity = { subject: 'A1', email: 'ann@example.com', isVerified: true, firstname: 'Ann' };

function describeProviders(start: StartServer): void {
  let server: TestServer;
  let boss: TestClient;
  let identity: AuthIdentity;
  /** What the provider was last given when somebody came back. */
  let back: unknown;
  /** What people who come back at the same moment wait for. */
  let together: (() => Promise<void>) | undefined;

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
        await together?.();
        return identity;
      },
    });
  });

  beforeAll(async () => {
    server = await start({ plugins: [directory], env: { TRELLIS_SITE_URL: site } });
    // A slow machine listens before the last plugins are there; what is asked of them waits for all.
    await server.host.plugins.enable('directory');
    boss = await server.signUp('boss@example.com');
  });
  afterAll(() => server.dispose());
  beforeEach(() => {
    identity = ann;
  });

  const path = '/api/v1/auth/providers/directory';

  /** A browser that follows no redirect by itself. */
  async function go(to: string, cookies: readonly string[] = [], method = 'GET') {
    const headers = { cookie: cookies.join('; ') };
    const answer = await fetch(`${server.url}${to}`, { method, redirect: 'manual', headers });
    const kept = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
    const body: unknown = answer.status === 302 ? undefined : await answer.json();
    return { status: answer.status, location: answer.headers.get('location') ?? '', kept, body };
  }

  /** The way out. */
  async function begin() {
    const { kept, body } = await go(`${path}/start`, [], 'POST');
    const { url } = body as { readonly url: string };
    return { kept, state: new URL(url).searchParams.get('state') ?? '' };
  }

  /** The way back, and the reason where it did not work. */
  async function comeBack(query: string, cookies: readonly string[] = []) {
    const answer = await go(`${path}/callback?${query}`, cookies);
    expect([answer.status, answer.location]).toEqual([302, `${site}/#/user/authentication/callback`]);
    const { body } = await go('/api/v1/auth/providers/outcome', answer.kept);
    return { kept: answer.kept, problem: (body as { readonly problem?: { readonly code: string } }).problem };
  }

  async function signIn() {
    const { kept, state } = await begin();
    return comeBack(`code=42&state=${state}`, kept);
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
    expect(first.problem).toBeUndefined();
    expect(back).toMatchObject({
      query: { code: '42' },
      redirectUrl: `${site}${path}/callback`,
      verifier: 'kept in the browser',
    });
    expect(await whoHas(first.kept)).toBe('ann@example.com');
    identity = { ...ann, email: 'ann.married@example.com' };
    expect(await whoHas((await signIn()).kept)).toBe('ann@example.com');
  });

  test('makes one account where somebody comes back several times at once for the first time, or is known by address', async () => {
    const atOnce = async (of: AuthIdentity) => {
      identity = of;
      const arrived = new Set<() => void>();
      together = () =>
        new Promise((resolve) => {
          arrived.add(resolve);
          if (arrived.size === 3) for (const go of arrived) go();
        });
      const all = await Promise.all([signIn(), signIn(), signIn()]);
      together = undefined;
      expect(all.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined]);
      return Promise.all(all.map(({ kept }) => whoHas(kept)));
    };
    const tom = { ...ann, subject: 'T1', email: 'tom@example.com' };
    expect(await atOnce(tom)).toEqual(Array(3).fill('tom@example.com'));
    expect(await atOnce({ ...tom, subject: 'T2' })).toEqual(Array(3).fill('tom@example.com'));
  });

  test('is told in the audit of the server, an account that is made by it as well', async () => {
    identity = { ...ann, subject: 'V1', email: 'eva@example.com' };
    await signIn();
    const { body } = await boss.get<{ list: readonly { op_sub_type: string; description: string }[] }>(
      '/api/v1/plugins/sys-audit/audits?user=eva@example.com',
    );
    expect(body.list.map(({ op_sub_type: kind, description }) => `${kind}: ${description}`)).toEqual([
      'SIGNIN: eva@example.com signed in by directory',
      'SIGNUP: eva@example.com signed up by directory',
    ]);
  });

  test('gives a program the token for the code, to the browser that began alone', async () => {
    const { kept, state } = await begin();
    const address = `/auth/directory/genTokenByCode?code=42&state=${state}`;
    expect(await go(address, [], 'POST')).toMatchObject({ status: 400, body: { code: 'SIGN_IN_STALE' } });
    const answer = await go(address, kept, 'POST');
    expect(answer).toMatchObject({ status: 200, body: { token: expect.any(String) } });
    const { token } = answer.body as { readonly token: string };
    const me = await server.client.with({ token }).get('/api/v1/auth/user/me');
    expect(me.body).toMatchObject({ email: 'ann@example.com', email_verified: true });
    expect(await whoHas(answer.kept)).toBe('ann@example.com');
    expect(await go('/auth/google/genTokenByCode?code=42&state=x', kept, 'POST')).toMatchObject({
      status: 400,
      body: { msg: 'Unknown authentication strategy "google"' },
    });
  });

  test('sends what the browser keeps to the two ways back alone', async () => {
    const answer = await fetch(`${server.url}${path}/start`, { method: 'POST' });
    const places = answer.headers.getSetCookie().map((cookie) => /Path=([^;]+)/.exec(cookie)?.[1]);
    expect(places).toEqual(['/api/v1/auth/providers', '/auth']);
  });

  test('knows nobody by a subject that another issuer gave', async () => {
    identity = { ...ann, subject: 'I1', issuer: 'https://one.example', email: 'ida@example.com' };
    expect(await whoHas((await signIn()).kept)).toBe('ida@example.com');
    identity = { ...identity, issuer: 'https://two.example', email: 'ivo@example.com' };
    expect(await whoHas((await signIn()).kept)).toBe('ivo@example.com');
    identity = { ...identity, issuer: 'https://one.example', email: 'ida.married@example.com' };
    expect(await whoHas((await signIn()).kept)).toBe('ida@example.com');
  });

  test('takes nobody over whose address has an account already', async () => {
    await server.signUp('bob@example.com');
    identity = { ...ann, subject: 'B1', email: 'Bob@example.com' };
    expect((await signIn()).problem).toMatchObject({ code: 'ACCOUNT_ELSEWHERE' });
    expect(await whoHas((await signIn()).kept)).toBeUndefined();
  });

  test('signs in to the account with the same address once its owner has proved the address', async () => {
    identity = { ...ann, subject: 'D1', email: 'dora@example.com' };
    await signIn();
    identity = { ...ann, subject: 'D2', email: 'Dora@example.com' };
    expect(await whoHas((await signIn()).kept)).toBe('dora@example.com');
  });

  test('lets in only invited people while the server takes no others', async () => {
    const settings = '/api/v1/app-store/plugins/sys-users/settings';
    const gil = await server.signUp('gil@example.com');
    const { id } = (await gil.get<{ id: string }>('/api/v1/auth/user/me')).body;
    await boss.patch(`/api/v1/users/${id}`, { is_super: true });
    expect((await boss.put(settings, { input: { inviteOnly: true } })).status).toBe(200);
    identity = { ...ann, subject: 'E1', email: 'emil@example.com' };
    expect((await signIn()).problem).toMatchObject({ code: 'SIGN_UP_CLOSED' });
    expect((await boss.post('/api/v1/user-invitations', { email: 'emil@example.com' })).status).toBe(200);
    expect(await whoHas((await signIn()).kept)).toBe('emil@example.com');
    // An invitation counts as long as whoever made it could make it.
    identity = { ...ann, subject: 'H1', email: 'hal@example.com' };
    expect((await gil.post('/api/v1/user-invitations', { email: 'hal@example.com' })).status).toBe(200);
    expect((await boss.patch(`/api/v1/users/${id}`, { is_super: false })).status).toBe(200);
    expect((await signIn()).problem).toMatchObject({ code: 'SIGN_UP_CLOSED' });
    expect((await boss.patch(`/api/v1/users/${id}`, { is_super: true })).status).toBe(200);
    expect(await whoHas((await signIn()).kept)).toBe('hal@example.com');
    await boss.patch(`/api/v1/users/${id}`, { is_super: false });
    await boss.put(settings, { input: { inviteOnly: false } });
  });

  test('believes no address that the provider does not vouch for', async () => {
    identity = { ...ann, subject: 'C1', email: 'carol@example.com', isVerified: false };
    expect((await signIn()).problem).toMatchObject({ code: 'EMAIL_NOT_VERIFIED' });
  });

  test('lets nobody come back who did not begin here', async () => {
    const { kept, state } = await begin();
    const stale = { problem: { code: 'SIGN_IN_STALE' } };
    expect(await comeBack(`code=42&state=${state}`)).toMatchObject(stale);
    expect(await comeBack('code=42&state=other', kept)).toMatchObject(stale);
    expect(await comeBack('code=42', kept)).toMatchObject(stale);
  });

  test('stays on while a super admin signs in by it alone', async () => {
    identity = { ...ann, subject: 'F1', email: 'fay@example.com' };
    const fay = await signIn();
    expect(await whoHas(fay.kept)).toBe('fay@example.com');
    const account = await server.host.container.get(AccountStoreToken).byEmail('fay@example.com');
    const setSuper = (is_super: boolean) => boss.patch(`/api/v1/users/${account?.id}`, { is_super });
    expect((await setSuper(true)).status).toBe(200);
    const off = server.host.plugins.disable('directory', { cascade: [] });
    await expect(off).rejects.toThrow(/fay@example.com could no longer sign in/);
    expect((await setSuper(false)).status).toBe(200);
  });

  test('is not offered while its plugin is off', async () => {
    await server.host.plugins.disable('directory', { cascade: [] });
    expect((await server.client.get('/api/v1/auth/providers')).body).toEqual({ list: [] });
    expect(await go(`${path}/start`, [], 'POST')).toMatchObject({
      status: 404,
      body: { code: 'AUTH_PROVIDER_ABSENT' },
    });
    await server.host.plugins.enable('directory');
  });
}

describeEachHome('signing in elsewhere', describeProviders);
