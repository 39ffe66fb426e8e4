import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { Server } from 'socket.io';
import { io } from 'socket.io-client';
import type { AccessService } from '@trellis/sdk/server';
import type { Principals } from '../../access/credentials/principals.ts';
import { SocketGuard, type LiveSocket, type RawConnection } from './socket-guard.ts';

const access = {} as AccessService;
const logger = { debug() {}, info() {}, warn() {}, error() {} };

test('a socket that ends while its credential is asked for keeps no place', async () => {
  let wait: Promise<unknown> = Promise.resolve();
  const principals = {
    async of() {
      await wait;
      return { kind: 'user', id: 'us_1', email: 'ann@example.com', accountRoles: [] };
    },
  } as unknown as Principals;
  const guard = new SocketGuard({ principals, access, logger, trustProxy: 0 });
  const http = createServer();
  const server = new Server(http);
  /** How many sockets end before it is known who they are. */
  let leaving = 60;
  server.use((socket, next) => {
    wait = Promise.resolve();
    if (leaving > 0) {
      leaving -= 1;
      wait = once(socket.conn as never, 'close');
      socket.conn.close(true);
    }
    const decide = async () => next(await guard.admit(socket));
    void decide();
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const open = () =>
    io(url, { auth: { token: 't' }, transports: ['websocket'], reconnection: false, forceNew: true });
  while (leaving > 0) {
    const socket = open();
    await once(socket.io as never, 'close');
  }
  const socket = open();
  const [error] = await Promise.race([
    once(socket as never, 'connect'),
    once(socket as never, 'connect_error'),
  ]);
  expect(error).toBeUndefined();
  socket.disconnect();
  await server.close();
});

test('visitors of links, however many networks they come from, leave members their places', async () => {
  const principals = {
    of: async ({ headers }: { readonly headers: Readonly<Record<string, string>> }) =>
      'xc-auth' in headers
        ? { kind: 'user', id: headers['xc-auth'], email: 'ann@example.com', accountRoles: [] }
        : { kind: 'sharedView', id: '', accountRoles: [] },
  } as unknown as Principals;
  const anyProject = { scopeFor: async () => ({ may: () => true }) } as unknown as AccessService;
  const guard = new SocketGuard({ principals, access: anyProject, logger, trustProxy: 0 });
  const leaving: (() => void)[] = [];
  const enter = async (auth: object, address: string) => {
    const request = { socket: { remoteAddress: address }, headers: {} };
    const conn = {
      request,
      readyState: 'open',
      once: (_event: string, leave: () => void) => leaving.push(leave),
    };
    const socket = { conn, handshake: { auth, headers: {} }, data: {}, use() {} } as unknown as LiveSocket;
    return (await guard.admit(socket))?.message;
  };
  const visit = { projectId: 'p_1', headers: { 'xc-shared-view': 'uuid' } };
  const answers = [];
  for (let network = 0; network < 50; network += 1)
    for (let count = 0; count < 50; count += 1) answers.push(await enter({ visit }, `198.51.100.${network}`));
  expect(answers).toContain('Too many connections');
  expect(await enter({ token: 'us_1' }, '198.51.100.1')).toBeUndefined();
  leaving[0]?.();
  expect(await enter({ visit }, '192.0.2.1')).toBeUndefined();
});

test('a connection that says nothing is cut within its time, whether its other side agrees or not', async () => {
  const http = createServer();
  const server = new Server(http);
  const principals = {} as Principals;
  const guard = new SocketGuard({ principals, access, logger, trustProxy: 0, longestUnknown: 50 });
  server.engine.on('connection', (connection: RawConnection) => guard.receive(connection));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const silent = connect((http.address() as AddressInfo).port, '127.0.0.1');
  silent.on('error', () => undefined);
  silent.on('data', () => undefined);
  silent.write(
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await once(silent, 'close');
  expect(server.engine.clientsCount).toBe(0);
  await server.close();
});
