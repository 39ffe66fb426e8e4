import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import { TrellisError } from '@trellis/sdk/shared';
import { createTestServer, testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const auth = '/api/v1/auth';
const password = 'Password-1';

/** People who are asked for a word that only they know. */
const words = new Map<string, string>();

const wordAsker = testPlugin(
  'word-asker',
  (ctx) => {
    ctx.register('signInSteps', {
      id: 'word',
      isDue: async ({ email }) => words.has(email),
      begin: async ({ email }) => ({ letters: words.get(email)?.length }),
      async finish({ email }, { word }) {
        if (word !== words.get(email)) throw new TrellisError('WORD_WRONG', 'Another word.', { status: 400 });
        return { welcome: email };
      },
    });
  },
  { contributes: { signInSteps: [{ id: 'word' }] } },
);

let server: TestServer;

beforeAll(async () => {
  server = await createTestServer({ plugins: [wordAsker] });
  const boss = await server.signUp('boss@example.com');
  expect((await boss.post('/api/v1/app-store/plugins/two-factor/enable', {})).status).toBe(200);
});
afterAll(() => server?.dispose());

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The browser with the cookies that came with the answer. */
  readonly browser: TestClient;
}

async function call(
  browser: TestClient,
  method: 'GET' | 'POST',
  path: string,
  sent?: object,
): Promise<Answer> {
  const { status, body, headers } = await browser.send<Answer['body']>(method, auth + path, sent);
  const cookie = headers.getSetCookie().map((line) => line.split(';')[0]);
  return {
    status,
    body,
    browser: cookie.length === 0 ? browser : browser.with({ headers: { cookie: cookie.join('; ') } }),
  };
}

const signIn = (email: string) => call(server.client, 'POST', '/user/signin', { email, password });
const answer = (browser: TestClient, given: object) => call(browser, 'POST', '/user/step', { answer: given });
/** What a browser is let do that is signed in: its cookie renews a session. */
const renews = async (browser: TestClient) => (await call(browser, 'POST', '/token/refresh', {})).status;
const me = async (token: unknown) =>
  (await server.client.with({ token: String(token) }).get<{ email: string }>(`${auth}/user/me`)).body.email;

test('a step of a plugin stops a sign-in until it is answered, and lets it pass then', async () => {
  const email = 'ann@example.com';
  await server.signUp(email);
  words.set(email, 'pelican');

  const asked = await signIn(email);
  expect(asked.body).toEqual({ step: 'word' });
  expect(await renews(asked.browser)).toBe(401);
  expect((await call(asked.browser, 'GET', '/user/step')).body).toEqual({
    step: 'word',
    data: { letters: 7 },
  });
  expect(await answer(asked.browser, { word: 'heron' })).toMatchObject({
    status: 400,
    body: { code: 'WORD_WRONG' },
  });

  const passed = await answer(asked.browser, { word: 'pelican' });
  expect(passed).toMatchObject({ status: 200, body: { told: { welcome: email } } });
  expect(await me(passed.body['token'])).toBe(email);
  expect(await renews(passed.browser)).toBe(200);
  // An answer counts for the sign-in that it was asked of.
  expect(await answer(asked.browser, { word: 'pelican' })).toMatchObject({
    status: 400,
    body: { code: 'SIGN_IN_STEP_STALE' },
  });
});

test('whom no step is due of signs in at once', async () => {
  await server.signUp('bob@example.com');
  const { body, browser } = await signIn('bob@example.com');
  expect(await me(body['token'])).toBe('bob@example.com');
  expect(await renews(browser)).toBe(200);
});

test('each step that is due is asked for, a code of a phone as well, and only the last one begins the session', async () => {
  const email = 'cho@example.com';
  const person = await server.signUp(email);
  const { secret, setup } = (await person.post<{ secret: string; setup: string }>('/api/v1/two-factor/begin'))
    .body;
  const confirm = { code: new TOTP({ secret }).generate(), setup };
  const confirmed = await person.post<{ recoveryCodes: readonly string[] }>(
    '/api/v1/two-factor/confirm',
    confirm,
  );
  words.set(email, 'ibis');

  const answers: Readonly<Record<string, object>> = {
    'two-factor': { code: confirmed.body.recoveryCodes[0] },
    word: { word: 'ibis' },
  };
  const first = await signIn(email);
  const second = await answer(first.browser, answers[String(first.body['step'])] ?? {});
  expect(new Set([first.body['step'], second.body['step']])).toEqual(new Set(['two-factor', 'word']));
  expect(second.body).not.toHaveProperty('token');
  expect(await renews(second.browser)).toBe(401);
  const done = await answer(second.browser, answers[String(second.body['step'])] ?? {});
  expect(await me(done.body['token'])).toBe(email);
});

test('a plugin that is switched off asks nobody', async () => {
  const email = 'dan@example.com';
  await server.signUp(email);
  words.set(email, 'crane');
  expect((await signIn(email)).body).toEqual({ step: 'word' });
  const { token } = (await signIn('boss@example.com')).body;
  const boss = server.client.with({ token: String(token) });
  expect((await boss.post('/api/v1/app-store/plugins/word-asker/disable', {})).status).toBe(200);
  expect(await me((await signIn(email)).body['token'])).toBe(email);
});
