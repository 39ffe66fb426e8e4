import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa, { type Context } from 'koa';
import compress from 'koa-compress';
import helmet from 'koa-helmet';
import type { Logger } from '@trellis/sdk/server';
import type { Dispatcher } from './dispatcher.ts';
import { httpErrors, toErrorAnswer } from './http-errors.ts';
import { decodedPath, immutableCache, scriptHashes, sendFile, serveWeb } from './web-pages.ts';

export interface HttpServerOptions {
  readonly dispatcher: Pick<Dispatcher, 'dispatch' | 'stopAccepting'>;
  readonly logger: Logger;
  readonly webFolder: string;
  /** The folder that holds a plugin's files for the browser, for `/ext/<id>/<version>/…`. */
  readonly extensionFolder: (id: string, version: string) => string | undefined;
  readonly corsOrigins: readonly string[];
  readonly siteUrl: string | undefined;
  readonly timeouts?: HttpTimeouts;
}

/** Milliseconds that a client may take to send. */
export interface HttpTimeouts {
  readonly headers: number;
  /** For the whole request, with its body. */
  readonly request: number;
}

const defaultTimeouts: HttpTimeouts = { headers: 10_000, request: 60_000 };

export interface HttpServer {
  readonly server: Server;
  listen(port: number, host: string): Promise<number>;
  /** Stops accepting, lets requests finish for at most `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

/** One Koa application: security headers, the API's dispatcher, the web application. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const app = new Koa();
  const hashes = await scriptHashes(options.webFolder);
  app.use(securityHeaders(hashes));
  app.use(compress({ threshold: 2048, br: false, gzip: { level: 4 } }));
  app.use((ctx) => respond(ctx, options));
  app.on('error', (error: NodeJS.ErrnoException) => {
    // A client that goes away while we write is everyday life.
    if (
      error.code !== 'EPIPE' &&
      error.code !== 'ECONNRESET' &&
      error.code !== 'ERR_STREAM_PREMATURE_CLOSE'
    ) {
      options.logger.error('The server could not answer', { error });
    }
  });
  const timeouts = options.timeouts ?? defaultTimeouts;
  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: 10_000,
      // Node looks every thirty seconds only, which would let a client have three times as long.
      connectionsCheckingInterval: timeouts.headers / 10,
    },
    app.callback() as never,
  );
  let isClosing = false;
  server.on('request', (_request, response) => {
    // A connection that is kept alive would hold the server up once its last answer is out.
    response.once('close', () => {
      if (isClosing) setImmediate(() => server.closeIdleConnections());
    });
  });
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
        options.dispatcher.stopAccepting();
        const cut = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
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

function securityHeaders(hashes: readonly string[]) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...hashes.map((hash) => `'${hash}'`)],
        // PrimeReact places overlays with style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Served by plain http on a home network as well: only a proxy with a certificate may promise more.
    hsts: false,
    frameguard: { action: 'deny' },
    crossOriginEmbedderPolicy: false,
    originAgentCluster: true,
    referrerPolicy: { policy: 'no-referrer' },
  });
}

async function respond(ctx: Context, options: HttpServerOptions): Promise<void> {
  if (applyCors(ctx, options.corsOrigins)) return;
  try {
    if (await options.dispatcher.dispatch(ctx)) return;
    if (ctx.path.startsWith('/ext/')) return await serveExtension(ctx, options);
    if (isApiPath(ctx.path)) throw httpErrors.create('NOT_FOUND');
    await serveWeb(ctx, options.webFolder);
  } catch (error) {
    const answer = toErrorAnswer(error, '');
    if (answer.isUnexpected) options.logger.error('A page could not be served', { path: ctx.path, error });
    ctx.status = answer.status;
    ctx.set('cache-control', 'no-store');
    ctx.body = answer.body;
  }
}

function isApiPath(path: string): boolean {
  return path.startsWith('/api/') || path.startsWith('/auth/') || path.startsWith('/nc/');
}

/** Only configured origins are named, never with credentials. True when the request was a preflight and is answered. */
function applyCors(ctx: Context, origins: readonly string[]): boolean {
  const origin = ctx.get('origin');
  if (origins.length === 0 || origin === '') return false;
  ctx.vary('origin');
  if (!origins.includes(origin)) return false;
  ctx.set('access-control-allow-origin', origin);
  if (ctx.method !== 'OPTIONS') return false;
  ctx.set('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE');
  ctx.set(
    'access-control-allow-headers',
    'content-type, xc-auth, xc-token, xc-gui, authorization, idempotency-key',
  );
  ctx.set('access-control-max-age', '600');
  ctx.status = 204;
  return true;
}

async function serveExtension(ctx: Context, options: HttpServerOptions): Promise<void> {
  const [, , id = '', version = '', ...rest] = ctx.path.split('/');
  const folder = options.extensionFolder(id, version);
  const path = decodedPath(rest.join('/'));
  const sent =
    folder !== undefined && path !== undefined && (await sendFile(ctx, folder, path, immutableCache));
  if (!sent) throw httpErrors.create('NOT_FOUND');
}
