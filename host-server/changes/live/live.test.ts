import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { LiveEvent, LiveSubscribeAnswer } from '@trellis/sdk/shared';
import {
  AccessServiceToken,
  defineServerPlugin,
  LiveChannelToken,
  type LiveChannel,
} from '@trellis/sdk/server';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';

describe('the live channel', () => {
  let server: TestServer;
  let ann: TestClient;
  let bob: TestClient;
  let projectId: string;
  let tableId: string;
  const rows = '/api/v1/db/data/noco/Live/Things';
  const sockets: Socket[] = [];

  function open(token: string | undefined, options: Partial<ManagerOptions & SocketOptions> = {}): Socket {
    const socket = io(`${server.url}/live`, {
      auth: { token },
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      ...options,
    });
    sockets.push(socket);
    return socket;
  }

  async function connected(client: TestClient): Promise<Socket> {
    const socket = open(client.token);
    await once(socket as never, 'connect');
    return socket;
  }

  const subscribe = (socket: Socket, request: unknown): Promise<LiveSubscribeAnswer> =>
    socket.timeout(5000).emitWithAck('subscribe', request) as Promise<LiveSubscribeAnswer>;

  function next(socket: Socket, kind: LiveEvent['kind']): Promise<LiveEvent> {
    return new Promise((resolve) => {
      socket.on('event', function listen(event: LiveEvent) {
        if (event.kind !== kind) return;
        socket.off('event', listen);
        resolve(event);
      });
    });
  }

  beforeAll(async () => {
    server = await createTestServer({ plugins: [badgePlugin] });
    ann = await server.signUp('ann@example.com');
    bob = await server.signUp('bob@example.com');
    const project = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Live' });
    projectId = project.body.id;
    const table = await ann.post<{ id: string }>(`/api/v1/db/meta/projects/${projectId}/tables`, {
      title: 'Things',
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', uidt: 'SingleLineText' },
      ],
    });
    tableId = table.body.id;
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.disconnect();
  });
  afterAll(() => server.dispose());

  test('tells a member of a change, whose it is and what it did', async () => {
    const socket = await connected(ann);
    expect(await subscribe(socket, { tableId })).toMatchObject({ ok: true, resync: false });
    const heard = next(socket, 'rows');
    await ann.post(rows, { Name: 'Lamp' });
    expect(await heard).toMatchObject({
      kind: 'rows',
      tableId,
      actor: { email: 'ann@example.com' },
      changes: [{ op: 'insert', row: { Name: 'Lamp' } }],
    });
  });

  test('gives what was missed after a number, and asks to read again when it cannot', async () => {
    const first = await connected(ann);
    const answer = await subscribe(first, { tableId });
    first.disconnect();
    await ann.post(rows, { Name: 'Missed' });
    const again = await connected(ann);
    const missed = next(again, 'rows');
    const resumed = await subscribe(again, { tableId, since: answer.ok ? answer.seq : 0 });
    expect(resumed).toMatchObject({ ok: true, resync: false });
    expect(await missed).toMatchObject({ changes: [{ row: { Name: 'Missed' } }] });
    expect(await subscribe(again, { tableId, since: Number.MAX_SAFE_INTEGER })).toMatchObject({
      ok: true,
      resync: true,
    });
  });

  test('tells who joins for the first time what was written while they did', async () => {
    const [listening, joining] = [await connected(ann), await connected(ann)];
    await subscribe(listening, { tableId });
    const sent = next(listening, 'rows');
    await ann.post(rows, { Name: 'Between' });
    await sent;
    const heard: unknown[] = [];
    joining.on('event', (event: LiveEvent) => heard.push(event));
    expect(await subscribe(joining, { tableId })).toMatchObject({ ok: true, resync: false });
    expect(heard.at(-1)).toMatchObject({ kind: 'rows', changes: [{ row: { Name: 'Between' } }] });
  });

  test.each([
    ['no token', undefined],
    ['a made-up token', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c18xIn0.'],
    ['a token that is no text', { toString: 1 } as unknown as string],
  ])('refuses %s', async (_, token) => {
    const [error] = (await once(open(token) as never, 'connect_error')) as [Error];
    expect(error.message).toBe('Unauthorized access');
  });

  test('refuses pages of other origins', async () => {
    const socket = open(ann.token, { extraHeaders: { origin: 'https://evil.example' } });
    const [error] = (await once(socket as never, 'connect_error')) as [Error];
    expect(error.message).toMatch(/websocket error|xhr poll error/);
  });

  test("answers for somebody else's table as for none at all", async () => {
    const socket = await connected(bob);
    const none = await subscribe(socket, { tableId: 'md_zzzzzzzzzzzzzz' });
    expect(none).toMatchObject({ ok: false });
    expect(await subscribe(socket, { tableId })).toEqual(none);
  });

  test('is not impressed by frames that make no sense', async () => {
    const socket = await connected(ann);
    const odd: readonly unknown[] = [undefined, null, 1, 'x', [], {}, { tableId: {} }, { tableId: '../..' }];
    for (const request of odd) expect(await subscribe(socket, request)).toMatchObject({ ok: false });
    socket.emit('page', { path: 'x' });
    expect((await server.client.get('/api/v1/health')).status).toBe(200);
  });

  test.each(['abc', {}, -1, 1.5, null, Number.MAX_SAFE_INTEGER + 1])(
    'refuses to go on after %j, which is no number of the log',
    async (since) => {
      const socket = await connected(ann);
      expect(await subscribe(socket, { tableId, since })).toMatchObject({ ok: false, code: 'BAD_REQUEST' });
    },
  );

  test('answers a subscription that fails', async () => {
    const socket = await connected(ann);
    const failing = server.host.registries.get('scopeRules').register(
      {
        id: 'failing',
        narrow() {
          throw new Error('no rules today');
        },
      },
      'sys-rows',
    );
    const answer = await subscribe(socket, { tableId });
    await failing.dispose();
    expect(answer).toMatchObject({ ok: false, code: 'SUBSCRIPTION_FAILED' });
    expect(await subscribe(socket, { tableId })).toMatchObject({ ok: true });
  });

  test('cuts whoever talks too much or too long', async () => {
    const chatty = await connected(ann);
    const cut = once(chatty as never, 'disconnect');
    for (let count = 0; count < 40; count += 1) chatty.emit('subscribe', { tableId }, () => undefined);
    await cut;
    const long = await connected(ann);
    const gone = once(long as never, 'disconnect');
    long.emit('subscribe', { tableId: 'x'.repeat(10_000) }, () => undefined);
    await gone;
    expect((await server.client.get('/api/v1/health')).status).toBe(200);
  });

  test('tells no more to somebody who was removed from the project', async () => {
    const access = server.host.container.get(AccessServiceToken);
    const me = await bob.get<{ id: string }>('/api/v1/auth/user/me');
    await access.grant(projectId, me.body.id, 'viewer');
    const socket = await connected(bob);
    expect(await subscribe(socket, { tableId })).toMatchObject({ ok: true });
    const heard: LiveEvent[] = [];
    socket.on('event', (event: LiveEvent) => heard.push(event));
    await access.revoke(projectId, me.body.id);
    const witness = await connected(ann);
    await subscribe(witness, { tableId });
    const told = next(witness, 'rows');
    await ann.post(rows, { Name: 'Private' });
    await told;
    // One more answer on the same connection: what came before it has arrived.
    await subscribe(socket, { tableId });
    // That projects changed is told to everybody, and names none.
    expect(heard.filter(({ kind }) => kind !== 'projects')).toEqual([]);
  });

  test('goes on for others when the rights of one listener cannot be told', async () => {
    const access = server.host.container.get(AccessServiceToken);
    const me = await bob.get<{ id: string }>('/api/v1/auth/user/me');
    await access.grant(projectId, me.body.id, 'viewer');
    const [first, second] = [await connected(bob), await connected(ann)];
    for (const socket of [first, second])
      expect(await subscribe(socket, { tableId })).toMatchObject({ ok: true });
    const cut = once(first as never, 'disconnect');
    const heard = next(second, 'rows');
    const failing = server.host.registries.get('scopeRules').register(
      {
        id: 'failing',
        narrow({ principal }) {
          if (principal.id === me.body.id) throw new Error('no rules today');
          return undefined;
        },
      },
      'sys-rows',
    );
    await ann.post(rows, { Name: 'Shelf' });
    await heard;
    await cut;
    await failing.dispose();
    await access.revoke(projectId, me.body.id);
    expect(first.connected).toBe(false);
  });

  test('ends with the session behind it', async () => {
    const carl = await server.signUp('carl@example.com');
    const socket = await connected(carl);
    const [signedOut, gone] = [next(socket, 'signedOut'), once(socket as never, 'disconnect')];
    const refreshed = await carl.post('/api/v1/auth/password/change', {
      currentPassword: 'Password-1',
      newPassword: 'Password-2',
    });
    expect(refreshed.status).toBe(200);
    await signedOut;
    await gone;
  });

  test('ends with a session whose refresh token somebody else used', async () => {
    const signedUp = await server.client.post<{ token: string }>('/api/v1/auth/user/signup', {
      email: 'dan@example.com',
      password: 'Password-1',
    });
    const cookieOf = (answer: { readonly headers: Headers }) => {
      const [cookie = ''] = answer.headers.getSetCookie();
      return cookie.split(';')[0] ?? '';
    };
    const refresh = (cookie: string) =>
      server.client.with({ headers: { cookie } }).post('/api/v1/auth/token/refresh');
    const socket = await connected(server.client.with({ token: signedUp.body.token }));
    const first = cookieOf(signedUp);
    const second = cookieOf(await refresh(first));
    expect((await refresh(second)).status).toBe(200);
    const [signedOut, gone] = [next(socket, 'signedOut'), once(socket as never, 'disconnect')];
    expect((await refresh(first)).status).toBe(401);
    await signedOut;
    await gone;
  });

  test('tells everybody that projects changed, and not which', async () => {
    const socket = await connected(bob);
    const other = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Secret plans' });
    const path = `/api/v1/db/meta/projects/${other.body.id}`;
    const { id } = (await bob.get<{ id: string }>('/api/v1/auth/user/me')).body;
    const access = server.host.container.get(AccessServiceToken);
    const changes: readonly (() => Promise<unknown>)[] = [
      () => ann.patch(path, { title: 'Public plans' }),
      () => access.grant(other.body.id, id, 'viewer'),
      () => access.revoke(other.body.id, id),
      () => ann.delete(path),
    ];
    for (const change of changes) {
      const heard = next(socket, 'projects');
      await change();
      expect(await heard).toEqual({ kind: 'projects' });
    }
  });

  test('tells everybody of plugins that come and go', async () => {
    const socket = await connected(bob);
    const heard = next(socket, 'plugins');
    await ann.post('/api/v1/app-store/plugins/column-rating/disable', {});
    expect(await heard).toMatchObject({ kind: 'plugins', generation: expect.any(Number) });
    await ann.post('/api/v1/app-store/plugins/column-rating/enable');
  });

  test('takes telemetry at the root of whoever is signed in, and drops it', async () => {
    const root = (auth: object) => {
      const socket = io(server.url, { auth, transports: ['websocket'], reconnection: false, forceNew: true });
      sockets.push(socket);
      return socket;
    };
    const socket = root({ token: ann.token });
    await once(socket as never, 'connect');
    socket.emit('page', { path: '/x' });
    socket.emit('event', { event: 'x' });
    const [error] = (await once(root({}) as never, 'connect_error')) as [Error];
    expect(error.message).toBe('Unauthorized access');
    expect((await server.client.get('/api/v1/health')).status).toBe(200);
  });

  test.each(['/', '/live'])(
    'counts what nobody listens to at %s, and cuts whoever says too much of it',
    async (at) => {
      const socket = io(`${server.url}${at}`, {
        auth: { token: ann.token },
        transports: ['websocket'],
        reconnection: false,
        forceNew: true,
      });
      sockets.push(socket);
      await once(socket as never, 'connect');
      const cut = once(socket as never, 'disconnect');
      for (let count = 0; count < 40; count += 1) socket.emit('nonsense', count);
      await cut;
      expect(socket.connected).toBe(false);
    },
  );

  test('keeps few connections of an address on which nobody signs in, and lets those in who do', async () => {
    const strangers = Array.from({ length: 40 }, () => open(undefined));
    let closed = 0;
    const older = new Promise<void>((resolve) => {
      for (const socket of strangers) {
        socket.io.on('close', () => {
          closed += 1;
          if (closed === 20) resolve();
        });
      }
    });
    await older;
    const socket = await connected(ann);
    expect(await subscribe(socket, { tableId })).toMatchObject({ ok: true });
  });

  test('cuts a listener for whom too much waits, and lets it come back', async () => {
    const channel = server.host.container.get(LiveChannelToken) as LiveChannel & { sent(): Promise<void> };
    const socket = await connected(ann);
    const { ws } = socket.io.engine.transport as unknown as { ws: { pause(): void; resume(): void } };
    const gone = once(socket as never, 'disconnect');
    ws.pause();
    const large = { kind: 'plugins', generation: 1, note: 'x'.repeat(1024 * 1024) } as LiveEvent;
    for (let count = 0; count < 40; count += 1) channel.publish(large);
    await channel.sent();
    ws.resume();
    await gone;
    expect(await subscribe(await connected(ann), { tableId })).toMatchObject({ ok: true });
  });

  test('ends a socket whose credential is no longer good when it asks for more', async () => {
    isBadgeGood = true;
    const socket = open('badge');
    await once(socket as never, 'connect');
    expect(await subscribe(socket, { tableId: 'md_zzzzzzzzzzzzzz' })).toMatchObject({ ok: false });
    const [signedOut, gone] = [next(socket, 'signedOut'), once(socket as never, 'disconnect')];
    isBadgeGood = false;
    socket.emit('subscribe', { tableId }, () => undefined);
    await signedOut;
    await gone;
  });

  test('ends a socket whose credential is no longer good at the next look at all of them', async () => {
    isBadgeGood = true;
    const socket = open('badge');
    await once(socket as never, 'connect');
    const gone = once(socket as never, 'disconnect');
    const channel = server.host.container.get(LiveChannelToken) as unknown as {
      recheckAll(): Promise<void>;
    };
    await channel.recheckAll();
    expect(socket.connected).toBe(true);
    isBadgeGood = false;
    await channel.recheckAll();
    await gone;
  });
});

let isBadgeGood = true;

/** A credential that ends when the test says so. */
const badgePlugin = {
  manifest: {
    id: 'badge',
    name: 'Badge',
    version: '1.0.0',
    category: 'app',
    engines: { trellis: '*' },
    sdk: 1,
    enabledByDefault: true,
    contributes: { credentialResolvers: [{ id: 'badge' }] },
  },
  server: defineServerPlugin({
    setup(ctx) {
      ctx.register('credentialResolvers', {
        id: 'badge',
        order: 1,
        resolve: async ({ headers }) =>
          headers['xc-auth'] === 'badge' && isBadgeGood
            ? { kind: 'user', id: 'us_badge000000000', email: 'badge@example.com', accountRoles: ['user'] }
            : undefined,
      });
    },
  }),
};
