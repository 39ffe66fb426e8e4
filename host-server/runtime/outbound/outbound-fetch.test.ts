import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HostOutbound } from './host-outbound.ts';

const seen: {
  path: string;
  method: string;
  host: string;
  headers: IncomingMessage['headers'];
  body: string;
}[] = [];
let server: Server;
let port = 0;
/** Resolves when the connection of a redirect that leads nowhere is closed. */
let astray: Promise<unknown> = Promise.resolve();

const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/hello': (response) => void response.writeHead(200, { 'x-kind': 'greeting' }).end('hello'),
  '/missing': (response) => void response.writeHead(404).end('nothing here'),
  '/large': (response) => void response.end(Buffer.alloc(5000)),
  '/silent': () => undefined,
  '/elsewhere': (response) =>
    void response.writeHead(302, { location: `http://other.test:${port}/hello` }).end(),
  '/moved': (response) => void response.writeHead(307, { location: `http://other.test:${port}/hello` }).end(),
  '/here': (response) => void response.writeHead(307, { location: '/hello' }).end(),
  '/astray': (response) => {
    astray = once(response, 'close');
    response.writeHead(302, { location: 'gopher://first.test/' }).flushHeaders();
  },
  '/inside': (response) => void response.writeHead(302, { location: 'http://intranet.test/' }).end(),
  '/round': (response) => void response.writeHead(302, { location: '/round' }).end(),
};

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  const { url: path = '', method = '', headers } = request;
  const { host = '' } = headers;
  seen.push({ path, method, host, headers, body: Buffer.concat(parts).toString() });
  answers[path]?.(response);
}

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
});

/** A gate on which two names lead to the test's server, which the operator allows, and one to an address that nobody may reach. */
const outbound = new HostOutbound({
  allow: ['127.0.0.1'],
  lookUp: async (host) => [{ address: host === 'intranet.test' ? '10.1.2.3' : '127.0.0.1', family: 4 }],
});
const purpose = { purpose: 'test' };
const at = (path: string) => `http://first.test:${port}${path}`;
const text = (body: Uint8Array) => Buffer.from(body).toString();

test('calls the address that was checked, by the name that was asked for', async () => {
  const got = await outbound.fetch(at('/hello'), { ...purpose, method: 'POST', body: 'hi' });
  expect({ ...got, body: text(got.body) }).toMatchObject({
    status: 200,
    headers: { 'x-kind': 'greeting' },
    body: 'hello',
    url: at('/hello'),
  });
  expect(seen.at(-1)).toMatchObject({ method: 'POST', host: `first.test:${port}`, body: 'hi' });
  expect((await outbound.fetch(at('/missing'), purpose)).status).toBe(404);
});

test('sends a stream as it arrives, and ends it when the call fails', async () => {
  const sent = { ...purpose, method: 'PUT' as const, body: Readable.from(['one, ', 'two']) };
  expect(await outbound.fetch(at('/hello'), sent)).toMatchObject({ status: 200 });
  expect(seen.at(-1)).toMatchObject({ path: '/hello', method: 'PUT', body: 'one, two' });
  const again = { ...sent, body: Readable.from(['once']) };
  await expect(outbound.fetch(at('/here'), again)).rejects.toMatchObject({ code: 'OUTBOUND_ONCE' });
  async function* breaking() {
    yield 'one, ';
    throw new Error('the file is gone');
  }
  const broken = { ...sent, body: Readable.from(breaking()) };
  await expect(outbound.fetch(at('/hello'), broken)).rejects.toThrow('the file is gone');
  const endless = new Readable({ read: () => undefined });
  const stop = new AbortController();
  const call = outbound.fetch(at('/hello'), { ...sent, body: endless, signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  expect(endless.destroyed).toBe(true);
});

test('gives an answer as it arrives, and ends one that is too large or that nobody reads', async () => {
  const { stream, ...rest } = await outbound.open(at('/hello'), purpose);
  expect(rest).toMatchObject({ status: 200, headers: { 'x-kind': 'greeting' }, url: at('/hello') });
  expect(await readText(stream)).toBe('hello');
  const large = await outbound.open(at('/large'), { ...purpose, limit: 4000 });
  await expect(readText(large.stream)).rejects.toMatchObject({ code: 'OUTBOUND_TOO_LARGE' });
  const unread = await outbound.open(at('/large'), purpose);
  unread.stream.destroy();
  await once(unread.stream, 'close');
});

test('follows a redirect through the gate, and leaves behind who we are', async () => {
  const headers = { authorization: 'Bearer 12345678' };
  const got = await outbound.fetch(at('/elsewhere'), { ...purpose, method: 'POST', body: 'hi', headers });
  expect([got.status, got.url]).toEqual([200, `http://other.test:${port}/hello`]);
  expect(seen.at(-1)).toMatchObject({ method: 'GET', body: '' });
  expect(seen.at(-1)?.headers.authorization).toBeUndefined();
  await expect(outbound.fetch(at('/inside'), purpose)).rejects.toMatchObject({ code: 'OUTBOUND_REFUSED' });
  await expect(outbound.fetch(at('/round'), purpose)).rejects.toMatchObject({ code: 'OUTBOUND_REDIRECTS' });
});

test('gives no other site what is sent, nor a header in which a secret may stand', async () => {
  const headers = { accept: 'text/plain', 'x-hook-secret': '12345678' };
  await outbound.fetch(at('/moved'), { ...purpose, headers });
  const { headers: elsewhere } = seen.at(-1) ?? {};
  expect([elsewhere?.accept, elsewhere?.['x-hook-secret']]).toEqual(['text/plain', undefined]);
  const posted = { ...purpose, method: 'POST' as const, body: 'hi', headers };
  await expect(outbound.fetch(at('/moved'), posted)).rejects.toMatchObject({
    code: 'OUTBOUND_ELSEWHERE',
    params: { host: 'first.test', to: `http://other.test:${port}` },
  });
  expect(seen.at(-1)).toMatchObject({ path: '/moved' });
  await outbound.fetch(at('/here'), posted);
  expect(seen.at(-1)).toMatchObject({ path: '/hello', method: 'POST', body: 'hi', headers });
});

test('closes the connection of a redirect that leads nowhere', async () => {
  // The end of the time would close it too.
  const patient = { ...purpose, timeoutMs: 600_000 };
  await expect(outbound.fetch(at('/astray'), patient)).rejects.toMatchObject({ code: 'OUTBOUND_ADDRESS' });
  await astray;
});

test('gives up what is too large or takes too long, and what nobody answers', async () => {
  await expect(outbound.fetch(at('/large'), { ...purpose, limit: 4999 })).rejects.toMatchObject({
    code: 'OUTBOUND_TOO_LARGE',
  });
  await expect(outbound.fetch(at('/silent'), { ...purpose, timeoutMs: 50 })).rejects.toMatchObject({
    status: 504,
    code: 'OUTBOUND_TIMEOUT',
  });
  await expect(outbound.fetch('http://first.test:1/', purpose)).rejects.toMatchObject({
    code: 'OUTBOUND_FAILED',
  });
});

test.each(['file:///etc/passwd', 'gopher://first.test/', 'no address', 'http://me:secret@first.test/'])(
  'calls no %s',
  async (url) => {
    await expect(outbound.fetch(url, purpose)).rejects.toMatchObject({ code: 'OUTBOUND_ADDRESS' });
  },
);
