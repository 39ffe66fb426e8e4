import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Disposable } from '@trellis/core';
import { ApiError } from '@trellis/sdk/web';
import { createWebHost } from '../app/create-web-host.ts';
import type { HostParts } from '../app/host-parts.ts';
import { connect, followEvents, receive } from '../app/start-web-host.ts';
import { LocalMirror } from '../store/local-mirror.ts';
import { ada, guestServer, signedInServer } from '../testing/signed-in-server.ts';
import type { FakeServer } from '../testing/fake-server.ts';
import { SessionPoll } from './session-poll.ts';

const lifetimes: Disposable[] = [];
const clock = {
  now: () => 0,
  after: () => () => undefined,
};

async function startHost(server: FakeServer, options: { readonly embedded?: boolean } = {}) {
  const host = createWebHost({
    transport: server.transport,
    mirror: new LocalMirror(undefined),
    clock,
    embedded: options.embedded ?? false,
  });
  jest.spyOn(host.live, 'start').mockResolvedValue(undefined);
  lifetimes.push(followEvents(host));
  await connect(host);
  return host;
}

const paused = (session: HostParts['session']): Promise<void> =>
  new Promise((resolve) => {
    session.onDidPause(() => resolve());
  });

describe('a session', () => {
  afterEach(() => {
    for (const lifetime of lifetimes.splice(0)) void lifetime.dispose();
  });

  test('is restored from the refresh cookie after a reload', async () => {
    const { session } = await startHost(signedInServer());
    expect(session).toMatchObject({ status: 'signedIn', superAdmin: true, user: ada });
    expect(session.token()).toBe('token-1');
  });

  test('is listened to live before the plugins are there, and nothing is for a guest', async () => {
    for (const [server, calls] of [
      [signedInServer(), 1],
      [guestServer(), 0],
    ] as const) {
      const host = createWebHost({
        transport: server.transport,
        mirror: new LocalMirror(undefined),
        clock,
        embedded: false,
      });
      const start = jest.spyOn(host.live, 'start').mockResolvedValue(undefined);
      const loading = new Promise<void>((begin) => {
        jest.spyOn(host.sync, 'start').mockImplementation(async (pages) => {
          await pages();
          begin();
          await new Promise(() => undefined);
        });
      });
      void connect(host);
      await loading;
      expect(start).toHaveBeenCalledTimes(calls);
    }
  });

  test('is that of a guest when there is no cookie, without a word about expiry', async () => {
    const { session, toasts } = await startHost(guestServer());
    expect(session.status).toBe('guest');
    expect(toasts.list()).toEqual([]);
  });

  test('ends with that of another tab, and says so', async () => {
    const { session, toasts, store, shell } = await startHost(signedInServer());
    shell.openSettings();
    await session.follow(undefined);
    expect([session.status, session.token(), shell.settingsPanel]).toEqual(['guest', undefined, undefined]);
    expect(toasts.list()[0]?.summary).toMatch(/another tab/);
    expect(store.getState().server.queries).toEqual({});
  });

  test.each<[string, (host: HostParts) => Promise<void>]>([
    ['in another tab', ({ session }) => session.follow('us_ben')],
    ['unheard', ({ session }) => session.check()],
  ])('of somebody else, who signed in %s, takes over nothing', async (_how, learn) => {
    const server = signedInServer().on('GET /api/v1/user-storage', { data: { 'x.y': 'of Ada' } });
    const host = await startHost(server);
    const events: string[] = [];
    host.session.onDidEnd((reason) => events.push(reason));
    host.session.onDidStart(({ email }) => events.push(email));
    host.shell.setContext({ project: { id: 'p_1' } as never });
    host.shell.openTab({ type: 'table', key: 'tb_1', name: 'Salaries' });
    server
      .on('GET /api/v1/auth/user/me', { data: { ...ada, id: 'us_ben', email: 'ben@example.com' } })
      .on('GET /api/v1/user-storage', { data: {} });
    await learn(host);
    expect(events).toEqual(['elsewhere', 'ben@example.com']);
    expect(host.session.user?.id).toBe('us_ben');
    expect(host.session.token()).toBeDefined();
    expect(host.userStorage.of('x').get('y')).toBeUndefined();
    expect(host.store.getState().tabs).toEqual({ owner: 'us_ben', byProject: {} });
    expect(host.shell.context.project).toBeUndefined();
  });

  test('of somebody else is found when it is renewed: nothing that was asked before is sent with it', async () => {
    const server = signedInServer();
    const { session, api } = await startHost(server);
    const changes: (string | undefined)[] = [];
    session.onDidEnd((reason) => changes.push(reason));
    session.onDidStart(({ email }) => changes.push(email));
    server
      .on('PATCH /api/v1/x', { status: 401, data: {} })
      .on('PATCH /api/v1/y', { status: 401, data: {} })
      .on('POST /api/v1/auth/token/refresh', { data: { token: 'of-ben', user_id: 'us_ben' } })
      .on('GET /api/v1/auth/user/me', { data: { ...ada, id: 'us_ben', email: 'ben@example.com' } });
    const started = new Promise((resolve) => session.onDidStart(resolve));
    const writes = ['x', 'y'].map((name) =>
      api.request({ method: 'PATCH', path: `/api/v1/${name}`, body: { typed: 'by Ada' } }),
    );
    await Promise.all(writes.map((write) => expect(write).rejects.toMatchObject({ status: 401 })));
    await started;
    expect(changes).toEqual(['elsewhere', 'ben@example.com']);
    expect([session.user?.id, session.token()]).toEqual(['us_ben', 'of-ben']);
    expect([server.count('PATCH /api/v1/x'), server.count('PATCH /api/v1/y')]).toEqual([1, 1]);
  });

  test('is never taken up in an embedded page', async () => {
    const server = signedInServer();
    const { session } = await startHost(server, { embedded: true });
    expect(session.status).toBe('guest');
    expect(server.count('POST /api/v1/auth/token/refresh')).toBe(0);
  });

  test('waits for its person when it expires, and what was asked meanwhile is asked again for them', async () => {
    const server = signedInServer();
    const { session, api, shell } = await startHost(server);
    shell.openTab({ type: 'table', key: 'tb_1', name: 'Salaries' });
    server
      .on('PATCH /api/v1/x', { status: 401, data: {} })
      .on('POST /api/v1/auth/token/refresh', { status: 401 });
    const write = api.request({ method: 'PATCH', path: '/api/v1/x', body: { typed: 'text' } });
    await paused(session);
    expect([session.status, session.isPaused, session.token()]).toEqual(['signedIn', true, undefined]);
    const read = api.request({ path: '/api/v1/y' });
    server.on('PATCH /api/v1/x', { data: { saved: true } }).on('GET /api/v1/y', { data: 'read' });
    await session.signIn('token-2');
    expect(await write).toEqual({ saved: true });
    expect(await read).toBe('read');
    expect([session.user?.id, session.isPaused]).toEqual([ada.id, false]);
    const sent = server.seen.filter(({ path }) => path === '/api/v1/x' || path === '/api/v1/y');
    expect(sent.slice(-2).map(({ headers }) => headers['xc-auth'])).toEqual(['token-2', 'token-2']);
  });

  test('that expired and is another person’s then leaves nothing, and sends nothing of what was asked', async () => {
    const server = signedInServer();
    const host = await startHost(server);
    const { session, api } = host;
    host.shell.setContext({ project: { id: 'p_1' } as never });
    server
      .on('PATCH /api/v1/x', { status: 401, data: {} })
      .on('POST /api/v1/auth/token/refresh', { status: 401 });
    const write = api.request({ method: 'PATCH', path: '/api/v1/x', body: { typed: 'text' } });
    await paused(session);
    const later = api.request({ method: 'PATCH', path: '/api/v1/y', body: { typed: 'more' } });
    server.on('GET /api/v1/auth/user/me', { data: { ...ada, id: 'us_ben', email: 'ben@example.com' } });
    await Promise.all([
      session.signIn('token-of-ben'),
      expect(write).rejects.toMatchObject({ status: 401 }),
      expect(later).rejects.toMatchObject({ status: 401 }),
    ]);
    expect(session.user?.id).toBe('us_ben');
    expect(host.shell.context.project).toBeUndefined();
    expect(server.count('PATCH /api/v1/x')).toBe(1);
    expect(server.count('PATCH /api/v1/y')).toBe(0);
  });

  test.each(['while they sign in', 'after they signed in'])(
    'of another person sends nothing again that was on its way when the one before expired, %s',
    async (moment) => {
      const server = signedInServer();
      const { session, api } = await startHost(server);
      let refuse = (): void => undefined;
      const refused = new Promise<void>((resolve) => {
        refuse = resolve;
      });
      server
        .on('GET /api/v1/x', { status: 401, data: {} })
        .on('PATCH /api/v1/late', async () => {
          await refused;
          return { status: 401, data: {} };
        })
        .on('POST /api/v1/auth/token/refresh', { status: 401 });
      const write = api.request({ method: 'PATCH', path: '/api/v1/late', body: { typed: 'text' } });
      const failure = write.catch((error: unknown) => error);
      void api.request({ path: '/api/v1/x' }).catch(() => undefined);
      await paused(session);
      server.on('GET /api/v1/auth/user/me', async () => {
        if (moment === 'while they sign in') refuse();
        await new Promise((resolve) => setTimeout(resolve, 5));
        return { data: { ...ada, id: 'us_ben', email: 'ben@example.com' } };
      });
      await session.signIn('token-of-ben');
      refuse();
      expect(await failure).toMatchObject({ status: 401 });
      expect(session.user?.id).toBe('us_ben');
      expect(server.count('PATCH /api/v1/late')).toBe(1);
    },
  );

  test('that expired is left by whoever does not come back: it says so, once, and forgets what was cached', async () => {
    const server = signedInServer();
    const { session, api, toasts, store, cache } = await startHost(server);
    const cached = { owner: 'host', request: { path: '/api/v1/version' }, tags: [] };
    await store.dispatch(cache.endpoints.read.initiate(cached));
    server
      .on('GET /api/v1/x', { status: 401, data: {} })
      .on('POST /api/v1/auth/token/refresh', { status: 401 });
    const asked = [api.request({ path: '/api/v1/x' }), api.request({ path: '/api/v1/x' })];
    await paused(session);
    session.leave();
    await Promise.allSettled(asked);
    expect(session.status).toBe('guest');
    expect(session.token()).toBeUndefined();
    expect(toasts.list().map(({ summary, life }) => [summary, life])).toEqual([
      ['Token Expired. Please login again.', 5000],
    ]);
    expect(store.getState().server.queries).toEqual({});
  });

  test('ends on sign-out even when the server does not answer', async () => {
    const server = signedInServer();
    const { session } = await startHost(server);
    server.on('POST /api/v1/auth/user/signout', 'unreachable');
    await session.signOut();
    expect(session.status).toBe('guest');
  });

  test('starts with a token that a plugin brings', async () => {
    const server = guestServer();
    const { session } = await startHost(server);
    server.on('GET /api/v1/auth/user/me', { data: ada });
    await session.signIn('fresh');
    expect(session.user?.email).toBe('ada@example.com');
    expect(server.seen.at(-1)?.headers['xc-auth']).toBe('fresh');
  });

  test("has the person's own values before anything is drawn for them", async () => {
    const server = signedInServer().on('GET /api/v1/user-storage', { data: { 'grid.density': 'compact' } });
    const { session, userStorage } = await startHost(server);
    expect(userStorage.of('grid').get('density')).toBe('compact');
    userStorage.of('grid').set('density', 'roomy');
    userStorage.of('grid').delete('other');
    await session.signOut();
    expect(userStorage.of('grid').get('density')).toBeUndefined();
    const writes = server.seen.filter(
      ({ method, path }) => method === 'PUT' && path === '/api/v1/user-storage',
    );
    expect(writes.map(({ body }) => body)).toEqual([{ 'grid.density': 'roomy', 'grid.other': null }]);
  });

  test.each([
    ['the server cannot be reached', 'unreachable' as const],
    ['the server fails', { status: 500, data: { msg: 'broken' } }],
  ])('goes on when it is said to be over and %s', async (_what, answer) => {
    const server = signedInServer();
    const host = await startHost(server);
    server.on('GET /api/v1/auth/user/me', answer);
    await receive(host, { kind: 'signedOut' });
    expect(host.session).toMatchObject({ status: 'signedIn', isPaused: false });
  });

  test('keeps no token in storage', async () => {
    const { store } = await startHost(signedInServer());
    expect(JSON.stringify(store.getState())).not.toContain('token-1');
  });
});

describe('the session poll', () => {
  function createPoll(check: () => Promise<void>) {
    const session = { status: 'signedIn' as const, check, expire: jest.fn() };
    return { session, poll: new SessionPoll(session, clock, { interval: 1, maxRetries: 3 }) };
  }
  const failing = (status: number) => () => Promise.reject(new ApiError(status, 'no'));

  test.each([504, 500, 429])('ends the session only after too many errors %i in a row', async (status) => {
    const { session, poll } = createPoll(failing(status));
    await poll.poll();
    await poll.poll();
    expect(session.expire).not.toHaveBeenCalled();
    await poll.poll();
    expect(session.expire).toHaveBeenCalledTimes(1);
  });

  test('starts counting again after a success', async () => {
    const { session, poll } = createPoll(failing(504));
    await poll.poll();
    await poll.poll();
    session.check = () => Promise.resolve();
    await poll.poll();
    session.check = failing(504);
    await poll.poll();
    await poll.poll();
    expect(session.expire).not.toHaveBeenCalled();
  });

  test('ends the session at once after a refusal', async () => {
    const { session, poll } = createPoll(failing(403));
    await poll.poll();
    expect(session.expire).toHaveBeenCalledTimes(1);
  });

  test('decides nothing while there is no connection', async () => {
    const { session, poll } = createPoll(failing(0));
    for (let round = 0; round < 10; round += 1) await poll.poll();
    expect(session.expire).not.toHaveBeenCalled();
  });
});
