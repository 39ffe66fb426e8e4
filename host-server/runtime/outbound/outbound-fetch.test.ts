import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable, type Duplex } from 'node:stream';
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
  '/unreadable': (response) => void response.writeHead(302, { location: 'http://[passwd' }).end(),
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

test('keeps the connection of a call that may be repeated, for as long as the name leads where it leads', async () => {
  const address = { now: '127.0.0.1' };
  const gate = new HostOutbound({
    allow: ['127.0.0.0/8'],
    lookUp: async () => [{ address: address.now, family: 4 }],
  });
  const ports = new Set<number | undefined>();
  const addresses: (string | undefined)[] = [];
  const receiver = createServer((request, response) => {
    ports.add(request.socket.remotePort);
    addresses.push(request.socket.localAddress);
    request.resume().on('end', () => response.end('ok'));
  });
  await new Promise<void>((resolve) => void receiver.listen(0, resolve));
  const url = `http://kept.test:${(receiver.address() as AddressInfo).port}/`;
  const post = { ...purpose, method: 'POST' as const, body: 'hi' };
  for (let call = 0; call < 3; call += 1) await gate.fetch(url, { ...post, mayRepeat: true });
  expect(ports.size).toBe(1);
  await gate.fetch(url, post);
  expect(ports.size).toBe(2);
  address.now = '127.0.0.2';
  await gate.fetch(url, { ...post, mayRepeat: true });
  expect(ports.size).toBe(3);
  expect(addresses.at(-1)).toMatch(/127\.0\.0\.2$/);
  address.now = '10.1.2.3';
  await expect(gate.fetch(url, { ...post, mayRepeat: true })).rejects.toMatchObject({
    code: 'OUTBOUND_REFUSED',
  });
  receiver.closeAllConnections();
  await new Promise((resolve) => void receiver.close(resolve));
});

test('sends a call once more where the kept connection was closed, and fails where a new one is', async () => {
  let calls = 0;
  let closes = (_call: number): boolean => false;
  const receiver = createServer((request, response) => {
    calls += 1;
    if (closes(calls)) request.socket.destroy();
    else response.end('ok');
  });
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://closing.test:${(receiver.address() as AddressInfo).port}/`;
  const call = { ...purpose, mayRepeat: true };
  await outbound.fetch(url, call);
  closes = (number) => number === 2;
  expect(await outbound.fetch(url, call)).toMatchObject({ status: 200 });
  expect(calls).toBe(3);
  closes = () => true;
  await expect(outbound.fetch(url, call)).rejects.toMatchObject({ code: 'OUTBOUND_FAILED' });
  await expect(outbound.fetch(url, call)).rejects.toMatchObject({ code: 'OUTBOUND_FAILED' });
  receiver.closeAllConnections();
  await new Promise((resolve) => void receiver.close(resolve));
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

test('follows what must arrive only where the whole of it goes on to the same origin', async () => {
  const message = { ...purpose, method: 'POST' as const, body: 'hi', mustArrive: true };
  const to = `http://other.test:${port}`;
  for (const [path, status] of [
    ['/elsewhere', 302],
    ['/moved', 307],
  ] as const)
    await expect(outbound.fetch(at(path), message)).rejects.toMatchObject({
      code: 'OUTBOUND_LOST',
      status: 502,
      params: { host: 'first.test', to, status },
    });
  await expect(outbound.fetch(at('/round'), { ...purpose, mustArrive: true })).rejects.toMatchObject({
    code: 'OUTBOUND_LOST',
  });
  await outbound.fetch(at('/here'), message);
  expect(seen.at(-1)).toMatchObject({ path: '/hello', method: 'POST', body: 'hi' });
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

test.each([
  'file:///etc/passwd',
  'gopher://first.test/passwd',
  'no address passwd',
  'hooks.first.test/passwd',
  'http://me:passwd@first.test/',
  '/unreadable',
])('calls no %s, and says not a word of it', async (url) => {
  const error: unknown = await outbound
    .fetch(url.startsWith('/') ? at(url) : url, purpose)
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'OUTBOUND_ADDRESS', message: expect.not.stringContaining('passwd') });
  expect(JSON.stringify(error)).not.toContain('passwd');
});

test('goes to the address that was checked, whatever proxy the environment names', async () => {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('by the proxy');
  });
  proxy.on('connect', ({ url = '' }: IncomingMessage, socket: Duplex) => {
    asked.push(url);
    socket.destroy();
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  const names = ['http_proxy', 'https_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'] as const;
  const former = new Map([...names, 'NODE_USE_ENV_PROXY'].map((name) => [name, process.env[name]]));
  for (const name of names) process.env[name] = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  process.env['NODE_USE_ENV_PROXY'] = '1';
  try {
    for (const mayRepeat of [false, true]) {
      const got = await outbound.fetch(at('/hello'), { ...purpose, mayRepeat });
      expect(text(got.body)).toBe('hello');
    }
    // Where the gate is closed, it is closed to proxies as well.
    await expect(outbound.fetch('https://intranet.test/', purpose)).rejects.toMatchObject({
      code: 'OUTBOUND_REFUSED',
    });
    expect(asked).toEqual([]);
  } finally {
    for (const [name, value] of former) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    proxy.closeAllConnections();
    await new Promise((resolve) => void proxy.close(resolve));
  }
});
