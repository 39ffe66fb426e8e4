import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createSecureServer, type TlsOptions } from 'node:tls';
import type { ServerKind } from '../../../host-server/databases/testing/test-servers.ts';

/** A proxy that adds TLS to a database server, in the database's own protocol. */
export interface TlsFront {
  readonly port: number;
  /** Data that was sent without TLS, except the request for TLS. */
  readonly plain: readonly Buffer[];
  /** The number of secured connections. */
  readonly secured: () => number;
  close(this: void): Promise<void>;
}

/** @param tls absent for a server without TLS, as an attacker in between may pretend */
export async function startTlsFront(
  kind: ServerKind,
  behind: { readonly host: string; readonly port: number },
  tls?: TlsOptions,
): Promise<TlsFront> {
  const sockets = new Set<Socket>();
  const plain: Buffer[] = [];
  const upstreams = new Map<number | undefined, Socket>();
  let count = 0;

  function kept(socket: Socket): Socket {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    return socket;
  }
  const listen = () => kept(connect(behind.port, behind.host));

  const secure = createSecureServer(tls ?? {}, (socket) => {
    count += 1;

    kept(socket);
    const upstream = upstreams.get(socket.remotePort) ?? listen();
    bind(socket, upstream);
    if (kind === 'mysql') translate(socket, upstream);
    else socket.pipe(upstream).pipe(socket);
  }).on('tlsClientError', () => undefined);

  function upgrade(socket: Socket, rest: Buffer): void {
    // Data that arrived with the request already belongs to the handshake.
    socket.pause();
    if (rest.length > 0) socket.unshift(rest);
    secure.emit('connection', socket);
  }

  const front = createServer((socket) => {
    kept(socket);
    const speak = kind === 'mysql' ? beginMysql : beginPostgres;
    speak(socket);
  });

  function beginPostgres(socket: Socket): void {
    socket.once('data', (asked) => {
      const asksForTls = asked.length >= 8 && asked.readUInt32BE(4) === 80_877_103;
      if (!asksForTls) plain.push(asked);
      if (asksForTls && tls !== undefined) {
        socket.write('S');
        upgrade(socket, asked.subarray(8));
        return;
      }
      socket.on('data', (more) => plain.push(more));
      socket.write('N');
    });
  }

  function beginMysql(socket: Socket): void {
    const upstream = listen();
    upstreams.set(socket.remotePort, upstream);
    bind(socket, upstream);
    upstream.once('data', (greeting) => {
      setTls(greeting, 4 + 1 + greeting.indexOf(0, 5) - 5 + 1 + 4 + 8 + 1, tls !== undefined);
      socket.write(greeting);
      socket.once('data', (answer) => {
        const size = 4 + answer.readUIntLE(0, 3);
        const asksForTls = size === 36 && (answer.readUInt16LE(4) & hasTls) !== 0;
        if (asksForTls && tls !== undefined) upgrade(socket, answer.subarray(size));
        else plain.push(answer);
      });
    });
  }

  await once(front.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (front.address() as AddressInfo).port,
    plain,
    secured: () => count,
    async close() {
      front.close();
      for (const socket of sockets) socket.destroy();
      await once(front, 'close').catch(() => undefined);
    },
  };
}

/** The TLS flag in MySQL's capabilities. */
const hasTls = 0x0800;

function setTls(packet: Buffer, at: number, isOn: boolean): void {
  const flags = packet.readUInt16LE(at);
  packet.writeUInt16LE(isOn ? flags | hasTls : flags & ~hasTls, at);
}

function bind(one: Socket, other: Socket): void {
  one.on('close', () => other.destroy());
  other.on('close', () => one.destroy());
}

/**
 * Forwards packets until MySQL accepts the login, and adapts their numbers on each side: the request for TLS is one packet, which
 * the server behind never sees.
 */
function translate(client: Socket, server: Socket): void {
  let isIn = false;
  let isFirst = true;
  server.removeAllListeners('data');
  const handOn = (from: Socket, to: Socket, change: (packet: Buffer) => void) => {
    let waiting = Buffer.alloc(0);
    from.on('data', (chunk: Buffer) => {
      if (isIn) return void to.write(chunk);
      waiting = Buffer.concat([waiting, chunk]);
      while (waiting.length >= 4 && waiting.length >= 4 + waiting.readUIntLE(0, 3)) {
        const packet = waiting.subarray(0, 4 + waiting.readUIntLE(0, 3));
        waiting = waiting.subarray(packet.length);
        change(packet);
        to.write(packet);
      }
    });
  };
  handOn(client, server, (packet) => {
    packet[3] = (packet[3] ?? 1) - 1;
    if (isFirst) setTls(packet, 4, false);
    isFirst = false;
  });
  handOn(server, client, (packet) => {
    packet[3] = (packet[3] ?? 0) + 1;
    isIn = packet[4] === 0 || packet[4] === 0xff;
  });
}
