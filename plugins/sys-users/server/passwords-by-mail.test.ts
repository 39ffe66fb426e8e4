import { once } from 'node:events';
import { EventEmitter } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { MailMessage } from '@trellis/sdk/server';
import { createTestServer, testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const auth = '/api/v1/auth';
const password = 'Password-1';
const post = new EventEmitter<{ mail: [MailMessage] }>();
let isConfigured = true;

const mailPlugin = testPlugin('post', (ctx) => {
  ctx.register('mailAdapters', {
    id: 'post',
    label: 'Post',
    isConfigured: () => isConfigured,
    send: (message) => Promise.resolve(void post.emit('mail', message)),
    verify: () => Promise.resolve(),
  });
});

describe('passwords and addresses by mail', () => {
  let server: TestServer;
  let ann: TestClient;
  let guest: TestClient;

  beforeAll(async () => {
    const env = { TRELLIS_SITE_URL: 'https://tables.example.com' };
    server = await createTestServer({ plugins: [mailPlugin], env });
    guest = server.client;
    ann = await signUp('ann@example.com');
  });
  beforeEach(() => {
    isConfigured = true;
  });
  afterAll(() => server?.dispose());

  /** With the mail that asks to confirm the address out of the way. */
  async function signUp(email: string): Promise<TestClient> {
    const mail = once(post, 'mail');
    const client = await server.signUp(email);
    await mail;
    return client;
  }

  async function mailAfter(work: () => Promise<unknown>): Promise<MailMessage> {
    const mail = once(post, 'mail') as Promise<[MailMessage]>;
    await work();
    return (await mail)[0];
  }

  const linkOf = ({ text }: MailMessage, page: string) =>
    new RegExp(`https://tables\\.example\\.com/#${page}/([0-9a-f-]{36})`).exec(text)?.[1] ?? '';
  const forgot = (email: string, client = guest) => client.post(`${auth}/password/forgot`, { email });
  const resetLink = async (email: string) =>
    linkOf(await mailAfter(() => forgot(email)), '/user/password/reset/form');
  const reset = (token: string, next: string) =>
    guest.post(`${auth}/password/reset/${token}`, { password: next });
  const signIn = async (email: string, secret: string) =>
    (await guest.post(`${auth}/user/signin`, { email, password: secret })).status;

  test('a link in a mail sets a new password once, and every session ends', async () => {
    const token = await resetLink(' ANN@example.com ');
    expect((await guest.post(`${auth}/token/validate/${token}`)).body).toBe(true);
    expect(await reset(token, 'short')).toMatchObject({ status: 400, body: { code: 'PASSWORD_TOO_SHORT' } });
    const answers = await Promise.all(['New-Password-1', 'New-Password-2'].map((next) => reset(token, next)));
    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 400]));
    const won = answers[0]?.status === 200 ? 'New-Password-1' : 'New-Password-2';
    expect((await ann.get('/api/v1/db/meta/projects')).status).toBe(401);
    expect([await signIn('ann@example.com', password), await signIn('ann@example.com', won)]).toEqual([
      400, 200,
    ]);
    expect(await guest.post(`${auth}/token/validate/${token}`)).toMatchObject({
      status: 400,
      body: { msg: 'Invalid reset url' },
    });
  });

  test('the answer does not tell who has an account', async () => {
    const known = await mailAnswer('ann@example.com');
    const unknown = await forgot('nobody@example.com');
    expect({ ...unknown, headers: undefined }).toEqual({ ...known, headers: undefined });
    expect(known).toMatchObject({
      status: 200,
      body: { msg: 'Please check your email to reset the password' },
    });

    async function mailAnswer(email: string) {
      const mail = once(post, 'mail');
      const answer = await forgot(email);
      await mail;
      return answer;
    }
  });

  test('only the newest link works, and what is no link is none', async () => {
    await signUp('bob@example.com');
    const [first, second] = [await resetLink('bob@example.com'), await resetLink('bob@example.com')];
    expect((await reset(first, 'New-Password-1')).status).toBe(400);
    for (const token of ['x', '../../user/me', "' or 1=1", '{"$ne":""}', second.toUpperCase()]) {
      const answer = await reset(encodeURIComponent(token), 'New-Password-1');
      expect(answer).toMatchObject({ status: 400, body: { msg: 'Invalid reset url' } });
    }
    expect((await reset(second, 'New-Password-1')).status).toBe(200);
  });

  test('a link that is out ends with a change of the password', async () => {
    const dan = await signUp('dan@example.com');
    const link = await resetLink('dan@example.com');
    const change = { currentPassword: password, newPassword: 'New-Password-1' };
    expect((await dan.post(`${auth}/password/change`, change)).status).toBe(200);
    expect(await reset(link, 'New-Password-2')).toMatchObject({
      status: 400,
      body: { msg: 'Invalid reset url' },
    });
    expect(await signIn('dan@example.com', 'New-Password-1')).toBe(200);
  });

  test('the link leads to the address of the site, whatever the request says', async () => {
    const lied = guest.with({
      headers: { origin: 'https://tables.example.com', 'x-forwarded-host': 'evil.example' },
    });
    const mail = await mailAfter(() => forgot('bob@example.com', lied));
    expect(mail.text).not.toContain('evil');
    expect(mail.to).toEqual(['bob@example.com']);
  });

  test('without mail it says whom to ask, for known and unknown addresses alike', async () => {
    isConfigured = false;
    for (const email of ['bob@example.com', 'nobody@example.com'])
      expect(await forgot(email)).toMatchObject({ status: 400, body: { code: 'RESET_NEEDS_MAIL' } });
  });

  test('asking again and again is limited', async () => {
    const statuses: number[] = [];
    for (let times = 0; times < 12; times += 1) statuses.push((await forgot('often@example.com')).status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  });

  test('an address is confirmed by its link, once, in the language of the person', async () => {
    const german = guest.with({ headers: { 'accept-language': 'de' } });
    let client = guest;
    const mail = await mailAfter(async () => {
      const answer = await german.post<{ token: string }>(`${auth}/user/signup`, {
        email: 'cid@example.com',
        password,
      });
      client = guest.with({ token: answer.body.token });
    });
    expect(mail.subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse');
    const isVerified = async () =>
      (await client.get<{ email_verified: boolean }>(`${auth}/user/me`)).body.email_verified;
    expect(await isVerified()).toBe(false);
    const again = await mailAfter(() => client.post(`${auth}/email/confirm`));
    const validate = (of: MailMessage) =>
      guest.post(`${auth}/email/validate/${linkOf(of, '/user/email/validate')}`);
    expect(await validate(mail)).toMatchObject({ status: 400, body: { msg: 'Invalid verification url' } });
    expect((await validate(again)).body).toEqual({ msg: 'Email verified successfully' });
    expect(await isVerified()).toBe(true);
    expect((await validate(again)).status).toBe(400);
  });
});
