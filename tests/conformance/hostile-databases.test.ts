import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import mysql from 'mysql2';

/** A connection as the driver's own server gives it; its types know only clients. */
interface ServedConnection {
  readonly stream: Socket;
  serverHandshake(options: object): void;
  on(event: 'query' | 'error', listener: () => void): void;
}

const canary = 'what stands in a file of this machine';
const down = 'Unable to connect to database, please check your database is up.';
let server: TestServer;
let owner: TestClient;
let folder: string;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUp();
  folder = await mkdtemp(join(tmpdir(), 'trellis-test-'));
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
});
afterAll(async () => {
  await server?.dispose();
  await rm(folder, { recursive: true, force: true });
});

const tested = (type: string, settings: object) =>
  owner.post<{ code: number; message: string }>('/api/v1/db/meta/connection/test', {
    type,
    settings: { host: '127.0.0.1', user: 'root', database: 'shop', ...settings },
  });

async function listening(of: Server): Promise<number> {
  of.listen(0, '127.0.0.1');
  await once(of, 'listening');
  closing.push(() => of.close());
  return (of.address() as AddressInfo).port;
}

test('a MySQL server that asks for a file of ours is given none', async () => {
  const file = join(folder, 'secret.txt');
  await writeFile(file, canary);
  let sent = '';
  let asked = 0;
  const fake = mysql.createServer((given) => {
    const connection = given as unknown as ServedConnection;
    closing.push(() => connection.stream.destroy());
    connection.stream.on('data', (bytes: Buffer) => {
      sent += bytes.toString('latin1');
    });
    connection.on('error', () => undefined);
    connection.on('query', () => {
      asked += 1;
      const request = Buffer.concat([Buffer.from([0xfb]), Buffer.from(file)]);
      // Three bytes of length and the number of the packet.
      connection.stream.write(Buffer.concat([Buffer.from([request.length, 0, 0, 1]), request]));
    });
    connection.serverHandshake({
      protocolVersion: 10,
      serverVersion: '8.0.0',
      connectionId: 1,
      statusFlags: 2,
      characterSet: 8,
      capabilityFlags: 0xff_ff_ff,
    });
  });
  // The driver's own way to listen knows no address.
  const port = await listening((fake as unknown as { readonly _server: Server })._server);
  expect((await tested('mysql2', { port })).body).toMatchObject({ code: -1, message: down });
  expect(asked).toBeGreaterThan(0);
  expect(sent).not.toContain(canary);
});

test.each(['pg', 'mysql2'])(
  'a server of kind %s that says nothing is given up within the time of a test',
  async (type) => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket));
    const port = await listening(silent);
    closing.push(() => sockets.forEach((socket) => socket.destroy()));
    expect((await tested(type, { port })).body).toMatchObject({ code: -1, message: down });
  },
);

test.each(['pg', 'mysql2'])(
  'a server of kind %s that talks nonsense says nothing to anybody',
  async (type) => {
    const secret = 'Welcome to the inner network';
    const chatty = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(`${secret}\r\n`.repeat(50));
    });
    const port = await listening(chatty);
    const { body } = await tested(type, { port });
    expect(body).toMatchObject({ code: -1, message: down });
    expect(JSON.stringify(body)).not.toContain(secret);
  },
);

test('settings that are no settings change nothing but the answer', async () => {
  const bodies = [
    '{"type":"pg","settings":{"__proto__":{"polluted":true}}}',
    '{"client":"pg","connection":{"__proto__":{"polluted":true}}}',
    '{"client":"pg","connection":{"constructor":{"prototype":{"polluted":true}}}}',
    '{"client":"mysql2","connection":{"flags":"+LOCAL_FILES"}}',
    '{"client":"mysql2","connection":{"socketPath":"/run/mysqld/mysqld.sock"}}',
    '{"client":"pg","connection":{"host":"/run/postgresql","user":"a","database":"b"}}',
    '{"client":"pg","connection":{"ssl":{"ca":"/etc/ssl/cert.pem"}}}',
    '{"client":"pg","connection":"postgres://a:b@c/d"}',
    '{"client":"sqlite3","connection":{"filename":"/etc/passwd"}}',
    '{"client":"sqlite3","connection":{"filename":"file:trellis.db?mode=ro"}}',
    '{"client":"__proto__"}',
    '{"client":["pg"]}',
  ];
  for (const body of bodies) {
    const answer = await owner.post('/api/v1/db/meta/connection/test', JSON.parse(body));
    expect([body, answer.status]).toEqual([body, 400]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  }
  expect(await owner.get('/api/v1/db/meta/projects')).toMatchObject({ status: 200 });
});

test('a failed test takes a second at least, so that its time says nothing of what stands there', async () => {
  const sockets: Socket[] = [];
  const open = createServer((socket) => void sockets.push(socket.on('error', () => undefined).end('no')));
  const port = await listening(open);
  closing.push(() => sockets.forEach((socket) => socket.destroy()));
  for (const settings of [{ port: 1 }, { port }, { port, host: 'nowhere.invalid' }]) {
    const since = performance.now();
    expect((await tested('pg', settings)).body).toMatchObject({ code: -1, message: down });
    expect(performance.now() - since).toBeGreaterThan(950);
  }
});

test('one person tests few connections in a minute, and others are not kept waiting by that', async () => {
  const eager = await server.signUp('eager@example.com');
  const { id } = (await eager.get<{ id: string }>('/api/v1/auth/user/me')).body;
  expect((await owner.patch(`/api/v1/users/${id}`, { is_super: true })).status).toBe(200);
  const test = (client: TestClient) => client.post('/api/v1/db/meta/connection/test', { type: 'oracledb' });
  const statuses: number[] = [];
  for (let times = 0; times < 25; times += 1) statuses.push((await test(eager)).status);
  expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 400));
  expect(statuses.slice(20)).toEqual(Array.from({ length: 5 }, () => 429));
  expect((await test(owner)).status).not.toBe(429);
});
