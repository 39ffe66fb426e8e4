import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '../runtime/logging/logger.ts';
import { createHttpServer, type HttpServer } from './http-server.ts';
import { limitedStream, readJsonBody, type BodyLimits } from './request-body.ts';

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

/** Counts a body from the moment when its sender could have been found silent several times. */
async function readLate(request: IncomingMessage, limits: BodyLimits): Promise<number> {
  const stream = limitedStream(request, limits, () => undefined);
  for (let look = 0; look < 6; look += 1) await setTimeout(limits.stall);
  let size = 0;
  for await (const chunk of stream) size += (chunk as Buffer).length;
  return size;
}

describe('a client that sends slowly', () => {
  async function start(limits: Partial<BodyLimits> = {}): Promise<string> {
    const whole = { bytes: 1_000_000, time: 600, stall: 60_000, ...limits };
    const webFolder = await mkdtemp(join(tmpdir(), 'trellis-slow-'));
    await writeFile(join(webFolder, 'index.html'), '<!doctype html>');
    cleanUps.push(() => rm(webFolder, { recursive: true }));
    const server: HttpServer = await createHttpServer({
      dispatcher: {
        dispatch(request, response) {
          const read = request.url === '/stream' ? readLate : readJsonBody;
          const body = request.method === 'POST' ? read(request, whole) : 'fine';
          Promise.resolve(body).then(
            (read) => response.end(JSON.stringify(read)),
            () => response.destroy(),
          );
          return true;
        },
        stopAccepting: () => undefined,
      },
      logger: createLogger({ level: 'silent' }),
      webFolder,
      framed: { sitesOf: async () => [] },
      webFilesOf: () => undefined,
      timeouts: { headers: 200, request: whole.time },
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

  test('has its connection cut while nothing comes of its body, however long the whole may take', async () => {
    const url = await start({ time: 60_000, stall: 20 });
    for (const path of ['/', '/stream']) {
      const socket = await say(url, `${post(path, 100)}{"a":`);
      expect(await answerOf(socket)).not.toMatch(/ 200 /);
    }
  });

  test('is not cut while its body waits for a reader', async () => {
    const url = await start({ time: 60_000, stall: 20 });
    const answer = await fetch(`${url}/stream`, { method: 'POST', body: 'x'.repeat(500_000) });
    expect(await answer.json()).toBe(500_000);
  });

  test('does not keep another one from its answer', async () => {
    const url = await start();
    const slow = await Promise.all(Array.from({ length: 50 }, () => say(url, 'GET / HTTP/1.1\r\nHost:')));
    const cut = slow.map(answerOf);
    expect(await (await fetch(url)).text()).toBe('"fine"');
    await Promise.all(cut);
  });
});
