import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service of somebody else that a plugin calls, as a test plays it. @public */
export interface TestService {
  /** Its address, without a slash at the end. It is a private one: a server that calls it for members needs `TRELLIS_OUTBOUND_ALLOW`. */
  readonly url: string;
  dispose(): Promise<void>;
}

/**
 * Plays a service on a free port of this machine.
 * @public
 */
export async function createTestService(answer: RequestListener): Promise<TestService> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async dispose() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
