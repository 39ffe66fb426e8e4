import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An external service that a plugin calls, played by a test. @public */
export interface TestService {
  /**
   * Its address without a trailing slash. The address is private: a server that calls it for members needs
   * `TRELLIS_OUTBOUND_ALLOW`.
   */
  readonly url: string;
  dispose(): Promise<void>;
}

/**
 * Runs a service on a free port of this machine.
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
