import { createServer } from 'node:http';
import { httpErrors } from './http-errors.ts';
import type { Config } from '../runtime/config/config.ts';

/** Answers every request with 503 until the server can start, so that proxies and people see why. */
export async function openWaitingRoom({ port, host }: Pick<Config, 'port' | 'host'>): Promise<{
  readonly port: number;
  close(): Promise<void>;
}> {
  const { code, message: msg } = httpErrors.create('STARTING');
  const body = JSON.stringify({ msg, code });
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (request, response) => {
    request.resume();
    response.writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': '2',
      connection: 'close',
    });
    response.end(body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
