import { createServer, type Server } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import type { Dispatcher } from './dispatcher.ts';
import { createPages, type PagesOptions } from './pages.ts';

export interface HttpServerOptions extends PagesOptions {
  readonly dispatcher: Pick<Dispatcher, 'dispatch' | 'stopAccepting'>;
  readonly timeouts?: HttpTimeouts;
}

/** Milliseconds that a client may take to send. */
export interface HttpTimeouts {
  readonly headers: number;
  /** For the whole request, with its body; a JSON body has less. */
  readonly request: number;
}

const defaultTimeouts: HttpTimeouts = { headers: 10_000, request: 600_000 };
/** The part of the grace in which a connection without a request is kept open, so that its next one is answered. */
const lingering = 0.1;

export interface HttpServer {
  readonly server: Server;
  listen(port: number, host: string): Promise<number>;
  /**
   * Stops accepting connections, lets requests finish for at most `graceMs`, then cuts what is left. Whoever sends another request
   * on an open connection is told that the server stops and that the connection ends, instead of losing it.
   */
  close(graceMs: number): Promise<void>;
}

/** The HTTP server: calls go to the dispatcher, everything else is a page or a file. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { dispatcher } = options;
  const servePage = await createPages(options);
  const timeouts = options.timeouts ?? defaultTimeouts;
  let isClosing = false;
  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      // Longer than proxies keep an idle connection (60 s): otherwise a proxy could send a request on a connection that is just being closed.
      keepAliveTimeout: 65_000,
      // Node looks every thirty seconds only, which would let a client have three times as long.
      connectionsCheckingInterval: timeouts.headers / 10,
    },
    (request, response) => {
      if (dispatcher.dispatch(request, response)) return;
      if (isClosing) response.setHeader('connection', 'close');
      servePage(request, response);
    },
  );
  return {
    server,
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', (error) => reject(listenError(error, port, host)));
        server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
      }),
    close: (graceMs) =>
      new Promise((resolve) => {
        isClosing = true;
        dispatcher.stopAccepting();
        const cut = setTimeout(() => server.closeAllConnections(), graceMs);
        const linger = setTimeout(() => server.closeIdleConnections(), graceMs * lingering);
        // The HTTP server's own method would close the connections that wait for a next request at once.
        NetServer.prototype.close.call(server, () => {
          clearTimeout(cut);
          clearTimeout(linger);
          // Ends the timer that looks for slow requests.
          server.close(() => resolve());
        });
      }),
  };
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is taken; end the other program or set PORT to another number.`,
    EACCES: `Port ${port} may not be used by this account; set PORT to a number above 1023.`,
    EADDRNOTAVAIL: `This machine has no address ${host}; set HOST to one that it has, or to 0.0.0.0.`,
  };
  const reason = reasons[error.code ?? ''];
  return reason === undefined ? error : new Error(reason, { cause: error });
}
