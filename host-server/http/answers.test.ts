import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineRoute, defineServerPlugin, RouteAnswer } from '@trellis/sdk/server';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';

let isResolverBroken = false;

const manifest = {
  id: 'probe',
  name: 'Probe',
  version: '1.0.0',
  category: 'app',
  engines: { trellis: '*' },
  sdk: 1,
  enabledByDefault: true,
};

/** Answers of every size, and a handler that fails. */
const probePlugin = {
  manifest,
  server: defineServerPlugin({
    setup(ctx) {
      const open = { permission: 'public', method: 'GET', summary: 'For the test' } as const;
      ctx.register('credentialResolvers', {
        id: 'broken',
        order: 1,
        async resolve() {
          if (isResolverBroken) throw new Error('the resolver is broken');
          return undefined;
        },
      });
      ctx.routes(
        defineRoute({ ...open, path: 'text', handle: async ({ query }) => 'x'.repeat(Number(query.length)) }),
        defineRoute({
          ...open,
          path: 'bytes',
          handle: async () => new RouteAnswer({ body: Buffer.from('{"list":[]}') }),
        }),
        defineRoute({
          ...open,
          path: 'fails',
          handle: async () => {
            throw new Error('the handler is broken');
          },
        }),
        defineRoute({
          ...open,
          path: 'stores',
          handle: async () => {
            throw Object.assign(new Error("ENOSPC: no space left on device, write '/srv/data/files/a'"), {
              code: 'ENOSPC',
            });
          },
        }),
      );
    },
  }),
};
const at = '/api/v1/plugins/probe';

describe('an answer of the API', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await createTestServer({ plugins: [probePlugin] });
  });
  afterAll(() => server.dispose());

  /** Head and bytes as they travel. */
  async function raw(path: string, options: { method?: string; headers?: Record<string, string> } = {}) {
    const asked = httpRequest(server.url + path, { ...options, agent: false });
    asked.end();
    const [response] = (await once(asked, 'response')) as [import('node:http').IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
  }

  test('says in a few headers that it is no page, no frame, no script, and in no cache', async () => {
    const { headers } = await raw(`${at}/text?length=3`);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-trellis-plugins': expect.stringMatching(/^\d+$/),
      'content-length': '5',
    });
    expect(Object.keys(headers)).toHaveLength(9);
  });

  test('is compressed where it is large and its reader takes that', async () => {
    const gzip = { headers: { 'accept-encoding': 'br, gzip' } };
    const large = await raw(`${at}/text?length=100000`, gzip);
    expect(large.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(large.body.length).toBeLessThan(1000);
    expect((await raw(`${at}/text?length=100`, gzip)).headers['content-encoding']).toBeUndefined();
    for (const refused of ['identity', 'gzip;q=0', 'gzip; q=0.0, br']) {
      const plain = await raw(`${at}/text?length=100000`, { headers: { 'accept-encoding': refused } });
      expect([refused, plain.body.length]).toEqual([refused, 100_002]);
    }
  });

  test('of bytes is sent as it is, and one of HEAD has a length and no body', async () => {
    expect((await raw(`${at}/bytes`)).body.toString()).toBe('{"list":[]}');
    const head = await raw(`${at}/bytes`, { method: 'HEAD' });
    expect([head.headers['content-length'], head.body.length]).toEqual(['11', 0]);
  });

  test('that fails is charged to the plugin whose handler failed, and to none where the host failed', async () => {
    const errorsOf = () =>
      server.host.plugins
        .list()
        .find(({ id }) => id === 'probe')
        ?.errors.map(({ message }) => message) ?? [];
    isResolverBroken = true;
    expect((await raw(`${at}/text?length=1`, { headers: { 'xc-auth': 'x' } })).status).toBeGreaterThanOrEqual(
      500,
    );
    isResolverBroken = false;
    expect(errorsOf().filter((message) => message.includes('text'))).toEqual([]);
    expect((await raw(`${at}/fails`)).status).toBe(500);
    expect(errorsOf().join()).toContain('the handler is broken');
  });
});

test('a full disk is told as what it is, without a path, and is no fault of the plugin that stores something', async () => {
  const told: string[] = [];
  const server = await createTestServer({
    plugins: [probePlugin],
    onLog: (level, message) => level === 'error' && told.push(message),
  });
  expect(await server.client.get(`${at}/stores`)).toMatchObject({
    status: 507,
    body: {
      code: 'STORAGE_FULL',
      msg: 'The server has no storage left, so this was not done. Please tell an administrator.',
    },
  });
  expect(server.host.plugins.list().find(({ id }) => id === 'probe')?.errors).toEqual([]);
  // The operator is told, and not of each write that is refused.
  await server.client.get(`${at}/stores`);
  expect(told).toEqual(['A disk is full: what people want stored is refused']);
  await server.dispose();
});

describe('a server that stops', () => {
  /** Sends one request on a connection that stays open, and gives the head of its answer. */
  async function ask(socket: Socket): Promise<string> {
    socket.write('GET /api/v1/version HTTP/1.1\r\nHost: x\r\n\r\n');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    return chunk.toString().toLowerCase();
  }

  test('answers on every open connection until it has said that the connection ends', async () => {
    const server = await createTestServer();
    const sockets = Array.from({ length: 6 }, () => connect(Number(new URL(server.url).port), '127.0.0.1'));
    await Promise.all(sockets.map((socket) => ask(socket)));
    const stopped = server.host.stop();
    const last = await Promise.all(
      sockets.map(async (socket) => {
        let answer = '';
        do answer = await ask(socket);
        while (!answer.includes('connection: close'));
        return answer.slice(9, 12);
      }),
    );
    expect(last).toEqual(Array.from({ length: 6 }, () => '503'));
    await stopped;
    await server.dispose();
  });
});
