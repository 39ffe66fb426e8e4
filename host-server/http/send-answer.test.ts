import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { Exchange } from './exchange.ts';
import { sendWhole } from './send-answer.ts';

let server: Server | undefined;
afterEach(() => void server?.close());

/** Asks for an answer of a million letters, and tells how much room was held for it at the same time. */
async function ask(hold: (bytes: number) => void) {
  const held: number[] = [];
  let now = 0;
  const ended = new Promise<unknown>((resolve) => {
    server = createServer((request, response) => {
      const exchange = new Exchange(request, response, { trustedProxies: 0, extraHeaders: {} });
      const sent = sendWhole(exchange, { status: 200, headers: {}, body: 'x'.repeat(1e6) }, (bytes) => {
        hold(bytes);
        held.push((now += bytes));
        return () => void (now -= bytes);
      });
      sent
        .catch((error: unknown) => {
          response.writeHead(503).end();
          return error;
        })
        .then(resolve, resolve);
    }).listen(0, '127.0.0.1');
  });
  await once(server as unknown as Server, 'listening');
  const { port } = (server as unknown as Server).address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}`);
  const letters = (await response.text()).length;
  return { status: response.status, letters, held, problem: await ended, left: now };
}

test('a large answer takes room for the whole of it while it is compressed, and gives it back', async () => {
  expect(await ask(() => undefined)).toEqual({
    status: 200,
    letters: 1e6,
    held: [1e6],
    problem: undefined,
    left: 0,
  });
});

test('a large answer without room is not compressed, and nothing of it is sent', async () => {
  const problem = new Error('no room');
  const refuse = () => {
    throw problem;
  };
  expect(await ask(refuse)).toEqual({ status: 503, letters: 0, held: [], problem, left: 0 });
});
