import { request } from 'node:http';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { MailMessage } from '@trellis/sdk/server';
import { createTestServer, testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const auth = '/api/v1/auth';
const meta = '/api/v1/db/meta';
const password = 'Passw0rd!x';

describe('attacks on accounts and on the mails to them', () => {
  const mails: MailMessage[] = [];
  let server: TestServer;
  let boss: TestClient;
  let users = '';

  beforeAll(async () => {
    const post = testPlugin('post', (ctx) => {
      ctx.register('mailAdapters', {
        id: 'post',
        label: 'Post',
        isConfigured: () => true,
        send: (message) => Promise.resolve(void mails.push(message)),
        verify: () => Promise.resolve(),
      });
    });
    // No address of the site is configured: whoever asks says where the server is, and must not be believed.
    server = await createTestServer({ plugins: [post] });
    boss = await server.signUp('boss@example.com');
    const project = await boss.post<{ id: string }>(`${meta}/projects`, { title: 'Atlas' });
    users = `${meta}/projects/${project.body.id}/users`;
  });
  beforeEach(() => {
    mails.length = 0;
  });
  afterAll(() => server?.dispose());

  /** A call under a name of the caller's choice. */
  async function sendAs(host: string, path: string, body: object, token?: string) {
    const call = request(`${server.url}${path}`, {
      method: 'POST',
      headers: {
        host,
        referer: `https://${host}/`,
        'x-forwarded-host': host,
        'x-forwarded-proto': 'https',
        'content-type': 'application/json',
        ...(token !== undefined && { 'xc-auth': token }),
      },
    });
    call.end(JSON.stringify(body));
    const [answer] = (await once(call, 'response')) as [AsyncIterable<Uint8Array> & { statusCode: number }];
    let text = '';
    for await (const part of answer) text += Buffer.from(part).toString();
    return { status: answer.statusCode, text };
  }

  /** The first mail with a link to these pages, as soon as it is there. */
  async function mailed(link: string): Promise<MailMessage> {
    for (;;) {
      const mail = mails.find(({ text }) => text.includes(link));
      if (mail !== undefined) return mail;
      await delay(25);
    }
  }

  test('no mail is sent with a link while nobody has said where the server is', async () => {
    const invited = await sendAs('evil.example', users, { email: 'ivy@example.com' }, boss.token);
    expect(invited.status).toBe(200);
    expect(invited.text).not.toContain('evil');
    expect(
      (await sendAs('evil.example', `${auth}/password/forgot`, { email: 'boss@example.com' })).status,
    ).toBe(400);
    await delay(300);
    expect(mails).toEqual([]);
  });

  test('the links of all mails lead to the confirmed address, whatever the request says of itself', async () => {
    const settings = { input: { siteUrl: 'https://tables.example.com' } };
    expect((await boss.put('/api/v1/app-store/plugins/sys-mail/settings', settings)).status).toBe(200);
    const calls: readonly (() => Promise<unknown>)[] = [
      () => sendAs('evil.example', users, { email: 'joe@example.com' }, boss.token),
      () => sendAs('evil.example', '/api/v1/user-invitations', { email: 'kim@example.com' }, boss.token),
      () => sendAs('evil.example', `${auth}/password/forgot`, { email: 'boss@example.com' }),
      () => sendAs('evil.example', `${auth}/user/signup`, { email: 'lea@example.com', password }),
    ];
    for (const call of calls) {
      mails.length = 0;
      await call();
      const { text, html = '' } = await mailed('/#/');
      expect(text).toContain('https://tables.example.com/#/');
      expect(`${text}${html}`).not.toContain('evil');
    }
  });

  test('of many who use one invitation at the same moment one has it', async () => {
    const made = await boss.post<{ invite_token: string | null }>(users, {
      email: 'mia@example.com',
      roles: 'editor',
    });
    expect(made.status).toBe(200);
    const { text } = await mailed('signup/');
    const [, token] = /signup\/([0-9a-f-]{36})/.exec(text) ?? [];
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        server.client.post<{ token?: string }>(`${auth}/user/signup`, {
          email: 'mia@example.com',
          password,
          token,
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => status < 500)).toBe(true);
    const listed = await boss.get<{ users: { list: readonly { email: string }[] } }>(users);
    expect(listed.body.users.list.filter(({ email }) => email === 'mia@example.com')).toHaveLength(1);
  });

  test('of many who use one link for a new password at the same moment one has it', async () => {
    await server.signUp('ned@example.com');
    await server.client.post(`${auth}/password/forgot`, { email: 'ned@example.com' });
    const { text } = await mailed('reset/form/');
    const [, token = ''] = /reset\/form\/([0-9a-f-]{36})/.exec(text) ?? [];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        server.client.post(`${auth}/password/reset/${token}`, { password: `New-Password-${at}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => [200, 400, 429, 503].includes(status))).toBe(true);
  });

  test('an address that nobody has takes as long to refuse as a wrong password', async () => {
    await server.signUp('ola@example.com');
    const timeOf = async (email: string) => {
      const since = performance.now();
      await server.client.post(`${auth}/user/signin`, { email, password: 'Wrong-Password-1' });
      return performance.now() - since;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let turn = 0; turn < 7; turn += 1) {
      known.push(await timeOf('ola@example.com'));
      unknown.push(await timeOf(`nobody${turn}@example.com`));
    }
    const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[3] ?? 0;
    // Without the hash that nobody needs it would be a hundredth.
    expect(median(unknown)).toBeGreaterThan(median(known) / 3);
  });

  test('whoever invites somebody learns of an account no more than of none', async () => {
    const eve = await server.signUp('eve@example.com');
    const invite = (email: string) => eve.post('/api/v1/user-invitations', { email });
    const [known, unknown] = [await invite('boss@example.com'), await invite('nobody@example.com')];
    expect({ ...known, headers: undefined }).toEqual({ ...unknown, headers: undefined });
    expect(known.status).toBe(403);
  });

  test('a form of another site changes nothing: cookies alone are no right, and only JSON is read', async () => {
    const plain = await fetch(`${server.url}${auth}/user/signin`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: JSON.stringify({ email: 'boss@example.com', password: 'Password-1' }),
    });
    expect(plain.status).toBeGreaterThanOrEqual(400);
    const signedIn = await fetch(`${server.url}${auth}/user/signin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'boss@example.com', password: 'Password-1' }),
    });
    const [cookie = ''] = signedIn.headers.getSetCookie();
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Strict/i);
    expect(cookie).toContain('Path=/api/v1/auth');
    const byCookie = await fetch(`${server.url}${meta}/projects`, {
      method: 'POST',
      headers: { cookie: cookie.split(';')[0] ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Forged' }),
    });
    expect(byCookie.status).toBe(401);
  });

  test('nobody gives a role above the own one by whatever the body says', async () => {
    const fay = await server.signUp('fay@example.com');
    await boss.post(users, { email: 'fay@example.com', roles: 'creator' });
    for (const body of [
      { email: 'gus@example.com', roles: 'owner' },
      { email: 'gus@example.com', roles: 'super' },
      { email: 'gus@example.com', roles: ['owner'] },
      { email: 'gus@example.com', roles: 'editor,owner' },
    ])
      expect([body, [400, 403].includes((await fay.post(users, body)).status)]).toEqual([body, true]);
    const { id } = (await fay.get<{ id: string }>(`${auth}/user/me`)).body;
    const { id: bossId } = (await boss.get<{ id: string }>(`${auth}/user/me`)).body;
    expect((await fay.patch(`${users}/${id}`, { roles: 'owner' })).status).toBeGreaterThanOrEqual(400);
    expect((await fay.patch(`${users}/${bossId}`, { roles: 'viewer' })).status).toBeGreaterThanOrEqual(400);
    expect((await fay.delete(`${users}/${bossId}`)).status).toBeGreaterThanOrEqual(400);
    expect((await fay.patch(`/api/v1/users/${id}`, { is_super: true })).status).toBe(403);
    const me = await boss.get<{ roles: object }>(`${auth}/user/me`);
    expect(me.body.roles).toMatchObject({ super: true });
  });

  test('a link of a project gives no more than an editor has, and editors give none', async () => {
    const project = users.replace(/\/users$/, '');
    const shared = `${project}/shared`;
    for (const roles of ['owner', 'creator', 'super', '__proto__', 'editor,owner'])
      expect((await boss.post<{ roles: string }>(shared, { roles })).body.roles).toBe('viewer');
    const { uuid } = (await boss.post<{ uuid: string }>(shared, { roles: 'editor' })).body;
    const visitor = server.client.with({ headers: { 'xc-shared-base-id': uuid } });
    for (const [method, path] of [
      ['GET', users],
      ['POST', users],
      ['GET', shared],
      ['POST', shared],
      ['GET', `${project}/api-tokens`],
      ['POST', `${project}/api-tokens`],
      ['GET', `${project}/audits`],
      ['PATCH', project],
      ['DELETE', project],
    ] as const) {
      const { status, body } = await visitor.send(
        method,
        path,
        method === 'GET' ? undefined : { title: 'x' },
      );
      expect([method, path, status]).toEqual([method, path, 403]);
      expect(JSON.stringify(body)).not.toContain('example.com');
    }
    const hal = await server.signUp('hal@example.com');
    await boss.post(users, { email: 'hal@example.com', roles: 'editor' });
    expect((await hal.post(shared, { roles: 'editor' })).status).toBe(403);
    expect((await hal.get(shared)).status).toBe(403);
    expect((await hal.delete(shared)).status).toBe(403);
    await boss.delete(shared);
  });
});
