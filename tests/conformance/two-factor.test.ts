import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import { defineServerPlugin } from '@trellis/sdk/server';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { describeEachHome } from './each-home.ts';

const path = '/api/v1/two-factor';
const password = 'Password-1';

interface Begun {
  readonly secret: string;
  readonly setup: string;
}

/** Who is asked for a word. */
const pledged = new Set<string>();

/** Asks some people for a word of their own, after whatever else there is. */
const pledge = {
  manifest: {
    id: 'pledge',
    name: 'Pledge',
    version: '1.0.0',
    category: 'app',
    engines: { trellis: '*' },
    sdk: 1,
    enabledByDefault: true,
    contributes: { signInSteps: [{ id: 'pledge' }] },
  },
  server: defineServerPlugin({
    setup(ctx) {
      ctx.register('signInSteps', {
        id: 'pledge',
        isDue: ({ email }) => Promise.resolve(pledged.has(email)),
        begin: () => Promise.resolve({ kind: 'pledge' }),
        finish: () => Promise.resolve({}),
      });
    },
  }),
};

function describeCodes(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let boss: TestClient;

  beforeAll(async () => {
    server = await start();
    boss = await server.signUp('boss@example.com');
    await server.host.plugins.enable('two-factor');
  });
  afterAll(() => server?.dispose());
  afterEach(() => {
    pledged.clear();
    jest.restoreAllMocks();
  });

  const codeOf = (secret: string) => new TOTP({ secret }).generate();
  /** A code counts once; the next one comes 30 seconds later. */
  function later(periods: number) {
    const now = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => now + periods * 30_000);
  }

  const signUp = (email: string) => signIn(email, 'signup');
  async function signIn(email: string, call = 'signin') {
    const answer = await fetch(`${server.url}/api/v1/auth/user/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const body = (await answer.json()) as { readonly token?: string; readonly step?: string };
    return { ...body, cookie: (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '' };
  }

  async function step(cookie: string, code?: string, setup?: string) {
    const answer = await fetch(`${server.url}/api/v1/auth/user/step`, {
      method: code === undefined ? 'GET' : 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      ...(code !== undefined && { body: JSON.stringify({ answer: { code, setup } }) }),
    });
    const next = (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
    return {
      status: answer.status,
      cookie: next,
      body: (await answer.json()) as Readonly<Record<string, unknown>>,
    };
  }

  async function setUp(email: string) {
    const person = await server.signUp(email);
    const { secret, setup } = (await person.post<Begun>(`${path}/begin`)).body;
    const code = codeOf(secret);
    const confirmed = await person.post<{ recoveryCodes: string[] }>(`${path}/confirm`, { code, setup });
    expect(confirmed.status).toBe(200);
    return { person, secret, code, recoveryCodes: confirmed.body.recoveryCodes };
  }

  test('are asked for after the password, and none is taken twice', async () => {
    const { secret, code } = await setUp('ann@example.com');
    const asked = await signIn('ann@example.com');
    expect([asked.token, asked.step]).toEqual([undefined, 'two-factor']);
    expect((await step(asked.cookie)).body).toEqual({ step: 'two-factor', data: { kind: 'code' } });
    expect(await step(asked.cookie, code)).toMatchObject({ body: { code: 'FACTOR_CODE_WRONG' } });
    later(1);
    const done = await step(asked.cookie, codeOf(secret));
    expect(done).toMatchObject({ status: 200, body: { token: expect.any(String), told: {} } });
    expect(await step(asked.cookie, codeOf(secret))).toMatchObject({ body: { code: 'SIGN_IN_STEP_STALE' } });
  });

  test('are asked for beside what another plugin asks for, one after the other', async () => {
    const { secret } = await setUp('pia@example.com');
    pledged.add('pia@example.com');
    const first = await signIn('pia@example.com');
    const codes: Record<string, string> = { pledge: 'yes' };
    later(1);
    codes['two-factor'] = codeOf(secret);
    const second = await step(first.cookie, codes[first.step ?? '']);
    expect(second.body).toEqual({ step: expect.stringMatching(/^(pledge|two-factor)$/), told: {} });
    expect(second.body.step).not.toBe(first.step);
    // What was done is done: it is not asked again, and its cookie leads nowhere.
    expect(await step(first.cookie, 'yes')).toMatchObject({ body: { code: 'SIGN_IN_STEP_STALE' } });
    expect((await step(second.cookie)).body).toMatchObject({ step: second.body.step });
    const done = await step(second.cookie, codes[String(second.body.step)]);
    expect(done.body).toMatchObject({ token: expect.any(String), told: {} });
  });

  test('are of no secret that somebody else began with', async () => {
    const person = await server.signUp('yan@example.com');
    const other = await server.signUp('xue@example.com');
    const begin = async (of: TestClient) => (await of.post<Begun>(`${path}/begin`)).body;
    const [borrowed, own, foreign] = [await begin(person), await begin(person), await begin(other)];
    expect(own.secret).not.toBe(borrowed.secret);
    const notBegun = { status: 409, body: { code: 'FACTOR_NOT_BEGUN' } };
    for (const setup of [foreign.setup, 'nonsense', own.setup.slice(0, -8)])
      expect(await person.post(`${path}/confirm`, { code: codeOf(foreign.secret), setup })).toMatchObject(
        notBegun,
      );
    const mixed = { code: codeOf(borrowed.secret), setup: own.setup };
    expect(await person.post(`${path}/confirm`, mixed)).toMatchObject({
      body: { code: 'FACTOR_CODE_WRONG' },
    });
    const right = { code: codeOf(own.secret), setup: own.setup };
    later(31);
    expect(await person.post(`${path}/confirm`, right)).toMatchObject(notBegun);
    jest.restoreAllMocks();
    expect((await person.post(`${path}/confirm`, right)).status).toBe(200);
  });

  test('are not asked of whoever signed in with a password that was changed since', async () => {
    const { person, secret } = await setUp('zoe@example.com');
    const { cookie } = await signIn('zoe@example.com');
    const change = { currentPassword: password, newPassword: `${password}-new` };
    expect((await person.post('/api/v1/auth/password/change', change)).status).toBe(200);
    later(1);
    expect(await step(cookie, codeOf(secret))).toMatchObject({ body: { code: 'SIGN_IN_STEP_STALE' } });
  });

  test('are put in force once, and asked of everybody who signs in at the same moment', async () => {
    const email = 'ned@example.com';
    const person = await server.signUp(email);
    const { secret, setup } = (await person.post<Begun>(`${path}/begin`)).body;
    const sent = { code: codeOf(secret), setup };
    const confirmed = await Promise.all(
      Array.from({ length: 4 }, () => person.post<{ code?: string }>(`${path}/confirm`, sent)),
    );
    expect(confirmed.map(({ status, body }) => body.code ?? String(status)).toSorted()).toEqual([
      '200',
      'FACTOR_ALREADY_SET_UP',
      'FACTOR_ALREADY_SET_UP',
      'FACTOR_ALREADY_SET_UP',
    ]);
    const asked = await Promise.all(Array.from({ length: 4 }, () => signIn(email)));
    expect(asked.map((of) => of.step)).toEqual(asked.map(() => 'two-factor'));
  });

  test('can be replaced by each recovery code once', async () => {
    const { recoveryCodes } = await setUp('bob@example.com');
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first = ''] = recoveryCodes;
    expect((await step((await signIn('bob@example.com')).cookie, first.toUpperCase())).status).toBe(200);
    const again = await step((await signIn('bob@example.com')).cookie, first);
    expect(again.body).toMatchObject({ code: 'FACTOR_CODE_WRONG' });
  });

  test('cannot be guessed', async () => {
    await setUp('carol@example.com');
    const { cookie } = await signIn('carol@example.com');
    const answers = [];
    for (let guess = 0; guess < 11; guess += 1) answers.push((await step(cookie, '000000')).status);
    expect(answers.at(-1)).toBe(429);
    expect(answers.filter((status) => status === 400)).toHaveLength(10);
  });

  test('are asked no more once a super admin took them away, and nobody else can', async () => {
    const { person } = await setUp('dora@example.com');
    const account = (await person.get<{ id: string }>('/api/v1/auth/user/me')).body;
    expect((await person.delete(`${path}/accounts/${account.id}`)).status).toBe(403);
    expect(await boss.delete(`${path}/accounts/us_none`)).toMatchObject({ status: 400 });
    const self = (await boss.get<{ id: string }>('/api/v1/auth/user/me')).body;
    expect(await boss.delete(`${path}/accounts/${self.id}`)).toMatchObject({ body: { code: 'ACCOUNT_OWN' } });
    const { cookie } = await signIn('dora@example.com');
    const reset = () => boss.delete(`${path}/accounts/${account.id}`);
    expect(await reset()).toMatchObject({ status: 200, body: { wasSetUp: true } });
    expect(await reset()).toMatchObject({ status: 200, body: { wasSetUp: false } });
    // Whoever was in the middle of signing in, or signed in already, starts again.
    expect(await step(cookie)).toMatchObject({ body: { code: 'SIGN_IN_STEP_STALE' } });
    expect((await person.get(`${path}/state`)).status).toBe(401);
    expect((await signIn('dora@example.com')).token).toEqual(expect.any(String));
  });

  test('are switched off with a code alone', async () => {
    const { person, recoveryCodes } = await setUp('emil@example.com');
    expect((await person.post(`${path}/off`, { code: '000000' })).status).toBe(400);
    expect((await person.post(`${path}/off`, { code: recoveryCodes[0] })).status).toBe(200);
    expect((await person.get(`${path}/state`)).body).toMatchObject({ isSetUp: false });
  });

  test('are set up at the next sign-in where the server requires them', async () => {
    await server.signUp('fay@example.com');
    const settings = '/api/v1/app-store/plugins/two-factor/settings';
    expect((await boss.put(settings, { input: { isRequired: true } })).status).toBe(200);
    const { cookie } = await signIn('fay@example.com');
    const { data } = (await step(cookie)).body as { readonly data: Begun & { kind: string } };
    expect(data.kind).toBe('setup');
    const done = await step(cookie, codeOf(data.secret), data.setup);
    expect(done.body).toMatchObject({ told: { recoveryCodes: expect.any(Array) } });
    // An account that is new has no session without it either.
    const made = await signUp('gil@example.com');
    expect([made.token, made.step]).toEqual([undefined, 'two-factor']);
    expect(made.cookie).not.toContain('refresh_token');
    const own = (await step(made.cookie)).body as { readonly data: Begun & { kind: string } };
    expect(own.data.kind).toBe('setup');
    expect((await step(made.cookie, codeOf(own.data.secret), own.data.setup)).body).toMatchObject({
      token: expect.any(String),
    });
    expect((await boss.put(settings, { input: { isRequired: false } })).status).toBe(200);
  });
}

describeEachHome('codes of a phone', (start) => describeCodes(() => start({ plugins: [pledge] })));
