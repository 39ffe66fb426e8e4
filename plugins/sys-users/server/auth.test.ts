import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const password = 'Password-1';
const path = (call: string) => `/api/v1/auth${call}`;

interface Token {
  readonly token: string;
}

function cookieOf(headers: Headers): string {
  const [cookie = ''] = headers.getSetCookie();
  return cookie.split(';')[0] ?? '';
}

describe('accounts and sessions', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await createTestServer();
  });

  afterAll(async () => {
    await server?.dispose();
  });

  function signIn(email: string, secret = password) {
    return server.client.post<Token>(path('/user/signin'), { email, password: secret });
  }

  function as(token: string): TestClient {
    return server.client.with({ token });
  }

  async function isSignedIn(token: string): Promise<boolean> {
    return (await as(token).get('/api/v1/db/meta/projects')).status === 200;
  }

  test('exactly one of many first sign-ups becomes the super admin', async () => {
    const emails = Array.from({ length: 12 }, (_, index) => `first${index}@example.com`);
    const answers = await Promise.all(
      emails.map((email) => server.client.post<Token>(path('/user/signup'), { email, password })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(emails.map(() => 200));
    const roles = await Promise.all(
      answers.map(
        async ({ body }) => (await as(body.token).get<{ roles: object }>(path('/user/me'))).body.roles,
      ),
    );
    expect(roles.filter((of) => 'super' in of)).toHaveLength(1);
    expect(roles.filter((of) => 'user_new' in of)).toHaveLength(emails.length - 1);
  });

  test('an address is one account, however it is written', async () => {
    await server.client.post(path('/user/signup'), { email: 'Ada@Example.com', password });
    const again = await server.client.post(path('/user/signup'), { email: ' ada@example.com ', password });
    expect(again).toMatchObject({ status: 400, body: { msg: 'User already exist' } });
    expect(await signIn('ADA@EXAMPLE.COM')).toMatchObject({ status: 200 });
    // Another letter is another account, whatever a database's collation thinks of accents.
    const other = await server.client.post(path('/user/signup'), { email: 'adá@example.com', password });
    expect(other.status).toBe(200);
  });

  test('a sign-in by the former password does not outlive its change', async () => {
    for (let round = 0; round < 4; round += 1) {
      const email = `rae${round}@example.com`;
      const { body } = await server.client.post<Token>(path('/user/signup'), { email, password });
      const change = as(body.token).post(path('/password/change'), {
        currentPassword: password,
        newPassword: `${password}-2`,
      });
      // Some of them are hashing when the password changes.
      const tries = Array.from({ length: 8 }, async (_, index) => {
        await delay(index * 15);
        return signIn(email);
      });
      expect((await change).status).toBe(200);
      for (const { status, body: opened } of await Promise.all(tries)) {
        if (status === 200) expect(await isSignedIn(opened.token)).toBe(false);
      }
      expect((await signIn(email, `${password}-2`)).status).toBe(200);
    }
  });

  test('a role or any other unknown key in a sign-up is refused', async () => {
    const body = { email: 'eve@example.com', password, roles: 'super' };
    expect(await server.client.post(path('/user/signup'), body)).toMatchObject({ status: 400 });
    expect(await signIn('eve@example.com')).toMatchObject({ status: 400 });
  });

  test('a wrong password and an unknown address get the same answer', async () => {
    const wrong = await signIn('ada@example.com', 'Password-2');
    const unknown = await signIn('nobody@example.com');
    expect(wrong).toMatchObject({ status: 400, body: { code: 'SIGN_IN_FAILED' } });
    expect({ ...unknown, headers: undefined }).toEqual({ ...wrong, headers: undefined });
  });

  test('objects, lists and operators instead of texts are refused', async () => {
    for (const value of [{ $ne: '' }, ['ada@example.com'], true, 1, null, { toString: 'x' }]) {
      expect(await server.client.post(path('/user/signin'), { email: value, password })).toMatchObject({
        status: 400,
      });
      expect(
        await server.client.post(path('/user/signin'), { email: 'ada@example.com', password: value }),
      ).toMatchObject({ status: 400 });
    }
  });

  test('the whole password counts, and a very long one is refused before it is hashed', async () => {
    const long = 'x'.repeat(80);
    const email = 'long@example.com';
    await server.client.post(path('/user/signup'), { email, password: `${long}1` });
    expect(await signIn(email, `${long}1`)).toMatchObject({ status: 200 });
    expect(await signIn(email, `${long}2`)).toMatchObject({ status: 400 });
    const huge = { email: 'huge@example.com', password: 'x'.repeat(4000) };
    expect(await server.client.post(path('/user/signup'), huge)).toMatchObject({
      status: 400,
      body: { code: 'PASSWORD_TOO_LONG' },
    });
    const short = { email: 'short@example.com', password: 'x'.repeat(7) };
    expect(await server.client.post(path('/user/signup'), short)).toMatchObject({
      status: 400,
      body: { code: 'PASSWORD_TOO_SHORT' },
    });
    for (const password of [' '.repeat(10), '\u00A0\u200B'.repeat(5)]) {
      const blank = { email: 'blank@example.com', password };
      expect(await server.client.post(path('/user/signup'), blank)).toMatchObject({
        status: 400,
        body: { code: 'PASSWORD_BLANK' },
      });
    }
  });

  test('tokens that this server did not sign are nobody', async () => {
    const { body } = await signIn('ada@example.com');
    const [header = '', payload = ''] = body.token.split('.');
    const none = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.`;
    const forged = createHmac('sha256', 'secret').update(`${header}.${payload}`).digest('base64url');
    for (const token of [
      none,
      `${header}.${payload}.${forged}`,
      `${body.token}x`,
      'x.y.z',
      'x'.repeat(6000),
    ]) {
      expect((await as(token).get(path('/user/me'))).body).toEqual({ roles: { guest: true } });
      expect(await as(token).get('/api/v1/db/meta/projects')).toMatchObject({ status: 401 });
    }
    const bearer = server.client.with({ headers: { authorization: `Bearer ${body.token}` } });
    expect(await bearer.get('/api/v1/db/meta/projects')).toMatchObject({ status: 200 });
  });

  test('the refresh token is for the cookie alone, rotates, and a copy of a former one ends the session', async () => {
    const signedIn = await signIn('ada@example.com');
    const [setCookie = ''] = signedIn.headers.getSetCookie();
    expect(setCookie).toMatch(/^refresh_token=\S+; Path=\/api\/v1\/auth; SameSite=Strict; HttpOnly/);
    const refresh = (cookie: string) =>
      server.client.with({ headers: { cookie } }).post<Token>(path('/token/refresh'));

    const first = cookieOf(signedIn.headers);
    const second = await refresh(first);
    expect(second.status).toBe(200);
    const { body: me } = await as(second.body.token).get<{ id: string }>(path('/user/me'));
    expect(second.body).toMatchObject({ user_id: me.id });
    // Two tabs may use the same cookie in the same moment.
    expect(await refresh(first)).toMatchObject({ status: 200 });
    const third = await refresh(cookieOf(second.headers));
    expect(third.status).toBe(200);
    // The first one is by now older than any tab could be.
    expect(await refresh(first)).toMatchObject({ status: 401 });
    expect(await refresh(cookieOf(third.headers))).toMatchObject({ status: 401 });
    expect(await isSignedIn(third.body.token)).toBe(false);
    expect(await refresh('refresh_token=')).toMatchObject({ status: 401 });
  });

  test('signing out ends this session at once and no other', async () => {
    const [one, two] = [await signIn('ada@example.com'), await signIn('ada@example.com')];
    await as(one.body.token).post(path('/user/signout'));
    expect(await isSignedIn(one.body.token)).toBe(false);
    expect(await isSignedIn(two.body.token)).toBe(true);
  });

  test('a changed password ends every session, and only the new one signs in', async () => {
    const email = 'change@example.com';
    const { body } = await server.client.post<Token>(path('/user/signup'), { email, password });
    const other = await signIn(email);
    const change = (currentPassword: string, newPassword: string) =>
      as(body.token).post(path('/password/change'), { currentPassword, newPassword });
    expect(await change('wrong-one', 'Password-2')).toMatchObject({
      status: 400,
      body: { msg: 'Current password is wrong' },
    });
    expect(await change(password, 'short')).toMatchObject({ status: 400 });
    expect(await change(password, 'Password-2')).toMatchObject({
      status: 200,
      body: { msg: 'Password updated successfully' },
    });
    expect(await isSignedIn(body.token)).toBe(false);
    expect(await isSignedIn(other.body.token)).toBe(false);
    const cookie = cookieOf(other.headers);
    const refreshed = await server.client.with({ headers: { cookie } }).post(path('/token/refresh'));
    expect(refreshed.status).toBe(401);
    expect(await signIn(email)).toMatchObject({ status: 400 });
    expect(await signIn(email, 'Password-2')).toMatchObject({ status: 200 });
  });

  test('after ten tries an account waits, even for the right password, and other accounts do not', async () => {
    const email = 'tried@example.com';
    await server.client.post(path('/user/signup'), { email, password });
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await signIn(email, `wrong-${attempt}`)).toMatchObject({ status: 400 });
    }
    const limited = await signIn(` ${email.toUpperCase()}`);
    expect(limited).toMatchObject({ status: 429, body: { code: 'TOO_MANY_TRIES' } });
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const spelling of [
      'ｔried@example.com',
      'tried＠example.com',
      '𝐭𝐫𝐢𝐞𝐝@example.com',
      'ⓣried@example.com',
    ]) {
      expect([spelling, (await signIn(spelling)).status]).toEqual([spelling, 429]);
    }
    expect(await signIn('ada@example.com')).toMatchObject({ status: 200 });
  });
});

test('where the administrator lets invited people alone sign up, anybody is told before trying', async () => {
  const server = await createTestServer();
  try {
    const isOpen = async () => (await server.client.get(path('/user/signup'))).body;
    const settings = '/api/v1/app-store/plugins/sys-users/settings';
    expect(await isOpen()).toEqual({ isOpen: true });
    const first = await server.client.post<Token>(path('/user/signup'), {
      email: 'first@example.com',
      password,
    });
    const owner = server.client.with({ token: first.body.token });
    expect(await owner.put(settings, { input: { inviteOnly: true } })).toMatchObject({ status: 200 });
    expect(await isOpen()).toEqual({ isOpen: false });
    const second = { email: 'second@example.com', password };
    expect(await server.client.post(path('/user/signup'), second)).toMatchObject({
      status: 400,
      body: { code: 'SIGN_UP_CLOSED' },
    });
  } finally {
    await server.dispose();
  }
});
