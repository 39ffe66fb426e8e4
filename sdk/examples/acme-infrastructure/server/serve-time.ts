import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { StartedListener } from '@trellis/sdk/server';

/** Tells the time to everybody who connects. Leaves nothing open when it is to stop before it has started. */
export async function serveTime(wanted: number, signal: AbortSignal): Promise<StartedListener> {
  const server = createServer((socket) => socket.end(`${new Date().toISOString()}\n`));
  server.listen(wanted, '127.0.0.1');
  try {
    await once(server, 'listening', { signal });
  } catch (error) {
    server.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  return {
    port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
