import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a receiver got it. @public */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers a receiver's requests. @public */
export type ReceiverAnswer = (request: Received, response: ServerResponse) => void;

/** A program on this machine that the product calls. @public */
export interface Receiver {
  readonly url: string;
  readonly got: readonly Received[];
  /** Sets its answer from now on; initially 200. */
  answer(as: ReceiverAnswer): void;
  /** The first requests that meet a condition, when there are this many. */
  until(count: number, meets?: (request: Received) => boolean): Promise<readonly Received[]>;
  close(): Promise<void>;
}

/** Listens on a free port of this machine only. @public */
export async function startReceiver(): Promise<Receiver> {
  const got: Received[] = [];
  const waiting = new Set<() => void>();
  let answer: ReceiverAnswer = (_, response) => void response.end('ok');
  const server = createServer((request, response) => {
    read(request).then(
      (received) => {
        got.push(received);
        answer(received, response);
        for (const wake of waiting) wake();
      },
      // The caller has disconnected meanwhile.
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    answer(as) {
      answer = as;
    },
    until: (count, meets = () => true) =>
      new Promise((resolve) => {
        const look = () => {
          const met = got.filter(meets);
          if (met.length < count) return;
          waiting.delete(look);
          resolve(met.slice(0, count));
        };
        waiting.add(look);
        look();
      }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function read(request: IncomingMessage): Promise<Received> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { method = '', url: path = '', headers } = request;
  return {
    method,
    path,
    headers: headers as Record<string, string>,
    body: Buffer.concat(parts).toString('utf8'),
  };
}
