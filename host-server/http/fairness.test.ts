import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { defineRoute, defineServerPlugin, RouteAnswer } from '@trellis/sdk/server';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { streamAnswer, type StreamEnd } from './stream-answer.ts';

const signIn = '/api/v1/auth/user/signin';
const owner = { email: 'owner@example.com', password: 'Password-1' };

/** What the test's own routes do and saw. */
interface Probe {
  /** Streams that began. */
  begun: number;
  /** Of these, those that have not ended. */
  streaming: number;
  onStreamed: () => void;
  /** Bodies that have begun to arrive. */
  arriving: number;
  onArriving: () => void;
  held: number;
  onHeld: () => void;
  released: Promise<void>;
}

const manifest = {
  id: 'probe',
  name: 'Probe',
  version: '1.0.0',
  category: 'app',
  engines: { trellis: '*' },
  sdk: 1,
  enabledByDefault: true,
};

/** A download without an end, and a call that lasts until the test says so. */
function probePlugin(probe: Probe) {
  async function* endless() {
    probe.begun += 1;
    probe.streaming += 1;
    try {
      for (;;) yield Buffer.alloc(64 * 1024);
    } finally {
      probe.streaming -= 1;
      probe.onStreamed();
    }
  }
  return {
    manifest,
    server: defineServerPlugin({
      setup(ctx) {
        ctx.routes(
          defineRoute({
            permission: 'signedIn',
            summary: 'A download without an end',
            method: 'GET',
            path: 'download',
            handle: async () => new RouteAnswer({ body: endless() }),
          }),
          defineRoute({
            permission: 'signedIn',
            summary: 'An answer of twenty megabytes',
            method: 'GET',
            path: 'large',
            handle: async () => Buffer.alloc(20 * 1024 * 1024, 'x'),
          }),
          defineRoute({
            permission: 'signedIn',
            summary: 'Takes what is sent, however slowly',
            method: 'POST',
            path: 'import',
            bodyKind: 'raw',
            async handle({ stream }) {
              probe.arriving += 1;
              if (probe.arriving === 64) probe.onArriving();
              let size = 0;
              for await (const chunk of stream ?? []) size += (chunk as Buffer).length;
              return size;
            },
          }),
          defineRoute({
            permission: 'public',
            summary: 'Lasts until the test says so',
            method: 'GET',
            path: 'hold',
            async handle() {
              probe.held += 1;
              probe.onHeld();
              await probe.released;
              return 'held';
            },
          }),
        );
      },
    }),
  };
}

describe('nobody is shut out', () => {
  const probe: Probe = {
    begun: 0,
    streaming: 0,
    onStreamed: () => undefined,
    arriving: 0,
    onArriving: () => undefined,
    held: 0,
    onHeld: () => undefined,
    released: Promise.resolve(),
  };
  const sockets: Socket[] = [];
  let server: TestServer;
  let ann: TestClient;
  let bob: TestClient;

  beforeAll(async () => {
    server = await createTestServer({ plugins: [probePlugin(probe)] });
    await server.signUp(owner.email);
    ann = await server.signUp();
    bob = await server.signUp();
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(() => server.dispose());

  /** Sends these bytes and reads nothing. */
  async function say(bytes: string): Promise<Socket> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(bytes);
    return socket;
  }

  /** The first bytes of an answer; nothing is read after them. */
  async function statusOf(socket: Socket): Promise<string> {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    return chunk.toString().slice(9, 12);
  }

  /** Others read, write, sign in and look at the health as if nothing were. */
  async function expectOthersToBeServed(): Promise<void> {
    const answers = await Promise.all([
      bob.get('/api/v1/db/meta/projects'),
      bob.put('/api/v1/user-storage', { theme: 'dark' }),
      server.client.post(signIn, owner),
      server.client.get('/api/v1/health'),
      server.client.get('/api/v1/version'),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
  }

  test('by 522 downloads of one person who reads none of them', async () => {
    const request = `GET /api/v1/plugins/probe/download HTTP/1.1\r\nHost: x\r\nxc-auth: ${ann.token ?? ''}\r\n\r\n`;
    const statuses: string[] = [];
    let onRefused = (): void => undefined;
    const refused = new Promise<void>((resolve) => {
      onRefused = resolve;
    });
    for (let count = 0; count < 522; count += 1) {
      const socket = await say(request);
      void statusOf(socket).then((status) => {
        statuses.push(status);
        if (statuses.filter((of) => of === '503').length >= 512) onRefused();
      });
    }
    await refused;
    expect(probe.streaming).toBe(2);
    await expectOthersToBeServed();
    const ended = new Promise<void>((resolve) => {
      probe.onStreamed = () => probe.streaming === 0 && resolve();
    });
    for (const socket of sockets.splice(0)) socket.destroy();
    await ended;
    expect(await statusOf(await say(request))).toBe('200');
  });

  test('by large answers of which one person reads none', async () => {
    const request = `GET /api/v1/plugins/probe/large HTTP/1.1\r\nHost: x\r\nxc-auth: ${ann.token ?? ''}\r\n\r\n`;
    const statuses: string[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push(await statusOf(await say(request)));
    expect(statuses).toEqual(['200', '200', '200', '200', '503', '503']);
    const large = await fetch(`${server.url}/api/v1/plugins/probe/large`, {
      headers: { 'xc-auth': bob.token ?? '' },
    });
    expect((await large.arrayBuffer()).byteLength).toBe(20 * 1024 * 1024);
    for (const socket of sockets.splice(0)) socket.destroy();
    // The server hears of the end in its own time.
    let status = '503';
    while (status !== '200') status = await statusOf(await say(request));
  });

  test('by asking only for the head of a download, which begins none', async () => {
    const before = probe.begun;
    const answer = await fetch(`${server.url}/api/v1/plugins/probe/download`, {
      method: 'HEAD',
      headers: { 'xc-auth': bob.token ?? '' },
    });
    expect([answer.status, probe.begun]).toEqual([200, before]);
  });

  test('by 400 halves of bodies from one address, whoever else sends from there', async () => {
    const half = `POST ${signIn} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n`;
    const cut: Promise<unknown>[] = [];
    for (let count = 0; count < 400; count += 1) {
      const socket = await say(half);
      await once(socket, 'data');
      cut.push(once(socket, 'close'));
      socket.write('{"email":');
    }
    await expectOthersToBeServed();
    // The older ones made room; the youngest may still finish.
    await Promise.all(cut.slice(0, 300));
    const youngest = sockets.at(-1);
    youngest?.write(`"a@example.com"}`.padEnd(91));
    const [answer] = (await once(youngest as Socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('by 64 imports of one person that trickle in, who goes on working beside them', async () => {
    const full = new Promise<void>((resolve) => {
      probe.onArriving = resolve;
    });
    const head = `POST /api/v1/plugins/probe/import HTTP/1.1\r\nHost: x\r\nxc-auth: ${ann.token ?? ''}\r\nContent-Length: 4\r\n\r\nha`;
    for (let count = 0; count < 64; count += 1) await say(head);
    await full;
    expect((await ann.get('/api/v1/db/meta/projects')).status).toBe(200);
    await expectOthersToBeServed();
    const [first] = sockets;
    first?.write('lf');
    expect(await statusOf(first as Socket)).toBe('200');
  });

  test('by strangers who hold all places of strangers; one address waits for itself, and not without end', async () => {
    let release = (): void => undefined;
    probe.released = new Promise((resolve) => {
      release = resolve;
    });
    const full = new Promise<void>((resolve) => {
      probe.onHeld = () => probe.held === 32 && resolve();
    });
    const path = '/api/v1/plugins/probe/hold';
    const calls = Array.from({ length: 140 }, () => server.client.get(path));
    await full;
    await expectOthersToBeServed();
    release();
    const statuses = (await Promise.all(calls)).map((answer) => answer.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(132);
    expect(statuses.filter((status) => status === 503)).toHaveLength(8);
    const refused = await server.client.get(path);
    expect(refused.status).toBe(200);
  });
});

describe('a streamed answer', () => {
  test('is cut when its reader takes nothing for a while, and its source is closed', async () => {
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) yield Buffer.alloc(64 * 1024);
      } finally {
        isClosed = true;
      }
    }
    let onEnd: (end: StreamEnd) => void = () => undefined;
    const ended = new Promise<StreamEnd>((resolve) => {
      onEnd = resolve;
    });
    const server = createServer((_, response) => {
      void streamAnswer(response, endless(), 200).then(onEnd);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await ended).kind).toBe('cut');
    expect(isClosed).toBe(true);
    socket.destroy();
    server.close();
  });

  test('is not cut while its source is slow itself', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* slow() {
      yield Buffer.from('first ');
      await released;
      yield Buffer.from('last');
    }
    const timeouts: unknown[] = [];
    const server = createServer((_, response) => {
      response.on('timeout', () => {
        timeouts.push('timeout');
        if (timeouts.length === 3) release();
      });
      void streamAnswer(response, slow(), 20);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await answer.text()).toBe('first last');
    server.closeAllConnections();
    server.close();
  });
});
