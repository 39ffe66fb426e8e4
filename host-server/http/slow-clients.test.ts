import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { defineRoute, defineServerPlugin } from '@trellis/sdk/server';
import { createTestServer, TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { createLogger } from '../runtime/logging/logger.ts';
import { createHttpServer, type HttpServer } from './http-server.ts';
import { readJsonBody } from './request-body.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** Sends these bytes and no more. */
async function say(url: string, bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  cleanUps.push(() => socket.destroy());
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

/** All that the server answers until it hangs up. */
async function answerOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(socket, 'close');
  return text;
}

const post = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

describe('a client that sends slowly', () => {
  async function start(): Promise<string> {
    const webFolder = await mkdtemp(join(tmpdir(), 'trellis-slow-'));
    await writeFile(join(webFolder, 'index.html'), '<!doctype html>');
    cleanUps.push(() => rm(webFolder, { recursive: true }));
    const server: HttpServer = await createHttpServer({
      dispatcher: {
        async dispatch(ctx) {
          ctx.body = ctx.method === 'POST' ? await readJsonBody(ctx.req, { bytes: 1000, time: 600 }) : 'fine';
          return true;
        },
        stopAccepting: () => undefined,
      },
      logger: createLogger({ level: 'silent' }),
      webFolder,
      extensionFolder: () => undefined,
      corsOrigins: [],
      siteUrl: undefined,
      timeouts: { headers: 200, request: 600 },
    });
    cleanUps.push(() => server.close(0));
    return `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  }

  test('has its connection cut while it dawdles over the headers', async () => {
    const socket = await say(await start(), 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    expect(await answerOf(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('has its connection cut while it dawdles over the body', async () => {
    const socket = await say(await start(), `${post('/', 100)}{"a":`);
    expect(await answerOf(socket)).not.toMatch(/ 200 /);
  });

  test('does not keep another one from its answer', async () => {
    const url = await start();
    const slow = await Promise.all(Array.from({ length: 50 }, () => say(url, 'GET / HTTP/1.1\r\nHost:')));
    const cut = slow.map(answerOf);
    expect(await (await fetch(url)).text()).toBe('fine');
    await Promise.all(cut);
  });
});

describe('the requests that are under way', () => {
  let started = 0;
  let release = (): void => undefined;
  let onStarted = (): void => undefined;

  /** A server with one route that answers only when it is told to, and one that takes a body. */
  async function start(): Promise<TestServer> {
    started = 0;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const shared = { permission: 'public', summary: 'For the test' } as const;
    const server = await createTestServer({
      plugins: [
        {
          manifest: {
            id: 'holder',
            name: 'Holder',
            version: '1.0.0',
            category: 'app',
            engines: { trellis: '*' },
            sdk: 1,
            enabledByDefault: true,
          },
          server: defineServerPlugin({
            setup(ctx) {
              ctx.routes(
                defineRoute({
                  ...shared,
                  method: 'GET',
                  path: 'hold',
                  async handle() {
                    started += 1;
                    onStarted();
                    await released;
                    return 'held';
                  },
                }),
                defineRoute({ ...shared, method: 'POST', path: 'take', handle: async () => 'taken' }),
              );
            },
          }),
        },
      ],
    });
    cleanUps.push(() => server.dispose());
    cleanUps.push(() => release());
    return server;
  }

  test('are five hundred at most; the next one is told to come back', async () => {
    const server = await start();
    const client = new TestClient(server.url);
    const all = new Promise<void>((resolve) => {
      onStarted = () => started === 500 && resolve();
    });
    const held = Array.from({ length: 500 }, () => client.get('/api/v1/plugins/holder/hold'));
    await all;
    const refused = await client.get('/api/v1/version');
    expect(refused).toMatchObject({ status: 503, body: { code: 'TOO_BUSY' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    release();
    const answers = await Promise.all(held);
    expect(answers.every(({ status, body }) => status === 200 && body === 'held')).toBe(true);
    expect((await client.get('/api/v1/version')).status).toBe(200);
  });

  test('are not those whose bodies are still coming, of which one address has a hundred', async () => {
    const server = await start();
    const client = new TestClient(server.url);
    const path = '/api/v1/plugins/holder/take';
    // `100-continue` is how a client hears that its headers were read.
    const slow = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const socket = await say(
          server.url,
          post(path, 10).replace('Host: x', 'Host: x\r\nExpect: 100-continue'),
        );
        await once(socket, 'data');
        return socket;
      }),
    );
    expect(await client.post(path, {})).toMatchObject({ status: 503, body: { code: 'TOO_BUSY' } });
    expect((await client.get('/api/v1/version')).status).toBe(200);
    for (const socket of slow) socket.write('{"a":true}');
    const answers = await Promise.all(slow.map(async (socket) => String((await once(socket, 'data'))[0])));
    expect(answers.every((answer) => answer.includes('taken'))).toBe(true);
    expect((await client.post(path, {})).status).toBe(200);
  });
});
