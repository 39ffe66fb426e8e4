import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { StartedListener } from '@trellis/sdk/server';

/** Tells the time to everybody who connects. */
export async function serveTime(wanted: number, signal: AbortSignal): Promise<StartedListener> {
  const server = createServer((socket) => socket.end(`${new Date().toISOString()}\n`));
  server.listen(wanted, '127.0.0.1');
  await once(server, 'listening', { signal });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
