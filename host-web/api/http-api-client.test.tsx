import { describe, expect, jest, test } from '@jest/globals';
import { ApiError } from '@trellis/sdk/web';
import { AccessToken } from './access-token.ts';
import { TokenRefresh } from './token-refresh.ts';
import { FakeServer, type SeenRequest } from '../testing/fake-server.ts';
import { HttpApiClient } from './http-api-client.ts';
import { OwnCalls } from './own-calls.ts';

function createClient(server: FakeServer, signedInAs?: string, untilThere = () => Promise.resolve()) {
  const token = new AccessToken();
  if (signedInAs !== undefined) token.set(signedInAs);
  const onExpired = jest.fn(() => token.clear());
  const track = jest.fn(() => () => undefined);
  const client = new HttpApiClient({
    transport: server.transport,
    token,
    refresh: new TokenRefresh(server.transport, token),
    headers: (own) => Promise.resolve(own),
    track,
    textOf: ({ message }) => message,
    untilThere,
    pause: () => Promise.resolve(),
    onExpired,
    onOtherPerson: () => undefined,
    untilResumed: () => Promise.resolve(false),
    isPaused: () => false,
    person: () => undefined,
    ownCalls: new OwnCalls({ now: () => 0, after: () => () => undefined }),
    onPluginGeneration: () => undefined,
  });
  return { client, token, onExpired, track };
}

const onlyWith = (good: string) => (request: SeenRequest) =>
  request.headers['xc-auth'] === good
    ? { data: { ok: true } }
    : { status: 401, data: { msg: 'Unauthorized access' } };

/** jsdom's files cannot be read as text. */
const fileOf = (text: string) => Object.assign(new Blob([text]), { text: () => Promise.resolve(text) });

const refreshPath = 'POST /api/v1/auth/token/refresh';

describe('the API client', () => {
  test('sends the headers of the interface and the session with each request', async () => {
    const server = new FakeServer({ 'GET /api/v1/x': { data: 1 } });
    await createClient(server, 'abc').client.request({ path: '/api/v1/x' });
    expect(server.seen[0]?.headers).toMatchObject({
      'xc-gui': 'true',
      'xc-auth': 'abc',
      Authorization: 'Bearer abc',
    });
    expect(server.seen[0]?.headers).not.toHaveProperty('Idempotency-Key');
  });

  test('sends no credentials for a guest, and an idempotency key with each write', async () => {
    const server = new FakeServer({ 'POST /api/v1/x': { data: 1 } });
    await createClient(server).client.request({ method: 'POST', path: '/api/v1/x', body: {} });
    expect(server.seen[0]?.headers).not.toHaveProperty('xc-auth');
    expect(server.seen[0]?.headers['Idempotency-Key']).toMatch(/^[0-9a-f]{32}$/);
  });

  test('sends what outlasts the absence of the server when it is back, under the same key, and not for ever', async () => {
    const server = new FakeServer({ 'PATCH /api/v1/x': 'unreachable' });
    let waits = 0;
    const { client } = createClient(server, 'abc', () => {
      waits += 1;
      if (waits === 2) server.on('PATCH /api/v1/x', { data: 'done' });
      return Promise.resolve();
    });
    const request = { method: 'PATCH', path: '/api/v1/x', body: { a: 1 } } as const;
    expect(await client.request({ ...request, outlasts: true })).toBe('done');
    const keys = server.seen.map(({ headers }) => headers['Idempotency-Key']);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);

    server.on('PATCH /api/v1/x', 'unreachable');
    await expect(client.request(request)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect(server.seen).toHaveLength(4);
    await expect(client.request({ ...request, outlasts: true })).rejects.toMatchObject({
      code: 'UNREACHABLE',
    });
    expect(server.seen).toHaveLength(10);
  });

  test('comes again where a busy server turned it away, under the same key, and says so where it stays busy', async () => {
    const busy = { status: 503, data: { code: 'TOO_BUSY', msg: 'The server is busy.' } };
    let asked = 0;
    const server = new FakeServer({
      'POST /api/v1/x': () => ((asked += 1) < 3 ? busy : { data: 'kept' }),
    });
    const { client } = createClient(server);
    const request = { method: 'POST', path: '/api/v1/x', body: { a: 1 } } as const;
    expect(await client.request(request)).toBe('kept');
    const keys = server.seen.map(({ headers }) => headers['Idempotency-Key']);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);

    server.on('POST /api/v1/x', busy);
    await expect(client.request(request)).rejects.toMatchObject({ status: 503, code: 'TOO_BUSY' });
    expect(server.seen).toHaveLength(6);
  });

  test('sends what was to be added as it was sent, where its answer was lost, and adds it anew after an answer', async () => {
    const server = new FakeServer({ 'POST /api/v1/rows': 'unreachable' });
    const { client } = createClient(server);
    const add = (name: string, seconds: number) =>
      client.request({ method: 'POST', path: '/api/v1/rows', body: { name, seconds }, once: { name } });
    await expect(add('Ada', 1)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    server.on('POST /api/v1/rows', { data: 'added' });
    await Promise.all([add('Ada', 2), add('Ada', 3), add('Bo', 4)]);
    const sent = server.seen.map(({ headers, body }) => [headers['Idempotency-Key'], body] as const);
    const [lost, again, ...others] = sent;
    expect(again).toEqual(lost);
    expect(others.map(([, body]) => body)).toEqual([
      { name: 'Ada', seconds: 3 },
      { name: 'Bo', seconds: 4 },
    ]);
    expect(new Set(sent.map(([key]) => key)).size).toBe(3);
  });

  test('sends what was to be added with its key as long as the server is at it, and anew after two minutes', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setTimeout', 'setImmediate'] });
    try {
      const server = new FakeServer({ 'POST /api/v1/rows': 'unreachable' });
      const { client } = createClient(server);
      const add = () =>
        client.request({
          method: 'POST',
          path: '/api/v1/rows',
          body: { name: 'Ada' },
          once: { name: 'Ada' },
        });
      await expect(add()).rejects.toMatchObject({ code: 'UNREACHABLE' });
      const running = { code: 'IDEMPOTENCY_RUNNING', msg: 'The same request is still being worked on.' };
      server.on('POST /api/v1/rows', { status: 409, data: running });
      await expect(add()).rejects.toMatchObject({ code: running.code });
      await expect(add()).rejects.toMatchObject({ code: running.code });
      const keys = () => new Set(server.seen.map(({ headers }) => headers['Idempotency-Key'])).size;
      expect(keys()).toBe(1);
      jest.setSystemTime(Date.now() + 121_000);
      server.on('POST /api/v1/rows', { data: 'added' });
      await add();
      expect(keys()).toBe(2);
    } finally {
      jest.useRealTimers();
    }
  });

  test('sends a file without a key, since the server reads it while it arrives', async () => {
    const server = new FakeServer({ 'POST /api/v1/files': { data: 'kept' } });
    const { client } = createClient(server);
    await client.request({ method: 'POST', path: '/api/v1/files', body: new Blob(['PK']) });
    await client.request({ method: 'POST', path: '/api/v1/files', body: { name: 'PK' } });
    const keys = server.seen.map(({ headers }) => headers['Idempotency-Key']);
    expect(keys.map((key) => typeof key)).toEqual(['undefined', 'string']);
  });

  test('takes a server that is stopping for one that is away', async () => {
    const server = new FakeServer({
      'GET /api/v1/x': { status: 503, data: { code: 'STOPPING', msg: 'Later.' } },
    });
    const { client } = createClient(server, 'abc', () => {
      server.on('GET /api/v1/x', { data: 'done' });
      return Promise.resolve();
    });
    await expect(client.request({ path: '/api/v1/x' })).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect(await client.request({ path: '/api/v1/x', outlasts: true })).toBe('done');
  });

  test('renews an expired session once for many requests and sends each of them again', async () => {
    const server = new FakeServer({
      'GET /api/v1/x': onlyWith('new'),
      'GET /api/v1/y': onlyWith('new'),
      [refreshPath]: { data: { token: 'new' } },
    });
    const { client } = createClient(server, 'old');
    const paths = ['/api/v1/x', '/api/v1/y', '/api/v1/x'];
    const answers = await Promise.all(paths.map((path) => client.request({ path })));
    expect(answers).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
    expect(server.count(refreshPath)).toBe(1);
  });

  test('repeats a write under the same idempotency key', async () => {
    const server = new FakeServer({
      'POST /api/v1/x': onlyWith('new'),
      [refreshPath]: { data: { token: 'new' } },
    });
    await createClient(server, 'old').client.request({ method: 'POST', path: '/api/v1/x', body: {} });
    const keys = server.seen
      .filter(({ path }) => path === '/api/v1/x')
      .map(({ headers }) => headers['Idempotency-Key']);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  test('ends the session when it cannot be renewed, and passes the refusal on', async () => {
    const server = new FakeServer({
      'GET /api/v1/x': { status: 401, data: { msg: 'Unauthorized access' } },
      [refreshPath]: { status: 401, data: { msg: 'Invalid refresh token' } },
    });
    const { client, onExpired } = createClient(server, 'old');
    await expect(client.request({ path: '/api/v1/x' })).rejects.toMatchObject({ status: 401 });
    expect(onExpired).toHaveBeenCalledTimes(1);
  });

  test('keeps the session when the server cannot be reached for the renewal', async () => {
    const server = new FakeServer({
      'GET /api/v1/x': { status: 401, data: {} },
      [refreshPath]: 'unreachable',
    });
    const { client, onExpired } = createClient(server, 'old');
    await expect(client.request({ path: '/api/v1/x' })).rejects.toMatchObject({ status: 0 });
    expect(onExpired).not.toHaveBeenCalled();
  });

  test("does not renew anything for a guest's refused request", async () => {
    const server = new FakeServer({ 'GET /api/v1/x': { status: 401, data: { msg: 'Unauthorized access' } } });
    await expect(createClient(server).client.request({ path: '/api/v1/x' })).rejects.toThrow(
      'Unauthorized access',
    );
    expect(server.count(refreshPath)).toBe(0);
  });

  test.each([
    [
      { status: 400, data: { msg: 'Title is taken', code: 'TITLE', params: { title: 'a' } } },
      'Title is taken',
      'TITLE',
    ],
    [{ status: 500, data: fileOf('{"msg":"in a file"}') }, 'in a file', undefined],
    [{ status: 500, data: '<html>' }, 'Some internal error occurred', undefined],
    [{ status: 503, data: '' }, 'The server is not available right now', undefined],
    ['unreachable' as const, 'The server cannot be reached; check your connection', 'UNREACHABLE'],
  ])('makes a readable error of %j', async (answer, message, code) => {
    const server = new FakeServer({ 'GET /api/v1/x': answer });
    const error: unknown = await createClient(server)
      .client.request({ path: '/api/v1/x' })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ message, code });
  });
});
