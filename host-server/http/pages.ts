import type { IncomingMessage, ServerResponse } from 'node:http';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import compress from 'koa-compress';
import helmet from 'koa-helmet';
import type { Logger } from '@trellis/sdk/server';
import { httpErrors, toErrorAnswer } from './http-errors.ts';
import { isFramedPath, type FramedPages } from './framed-pages.ts';
import { pagePolicy } from './page-policy.ts';
import { cutStalled, stallMs } from './stream-answer.ts';
import { decodedPath, immutableCache, scriptHashes, sendFile, serveWeb } from './web-pages.ts';

export interface PagesOptions {
  readonly logger: Logger;
  readonly webFolder: string;
  readonly framed: Pick<FramedPages, 'sitesOf'>;
  /** A plugin's files for the browser, for `/ext/<id>/<place>/…`; `isCurrent` when the address names the build that is there. */
  readonly webFilesOf: (
    id: string,
    place: string,
  ) => { readonly folder: string; readonly isCurrent: boolean } | undefined;
}

/** Pages and files: the web application and what plugins from elsewhere bring for it, with the policy of the page. */
export async function createPages(
  options: PagesOptions,
): Promise<(request: IncomingMessage, response: ServerResponse) => void> {
  const app = new Koa();
  const router = new Router();
  router.get('/ext/:id/:place/*path', (ctx) => serveExtension(ctx, options));
  router.get(['/dashboard', '/dashboard/'], (ctx) => ctx.redirect('/'));
  router.get(['/', '/*path'], (ctx) => serveWeb(ctx, options.webFolder));
  const hashes = await scriptHashes(options.webFolder);
  const unframed = securityHeaders(hashes, []);
  app.use(async (ctx, next) => {
    const sites = isFramedPath(ctx.path) ? await options.framed.sitesOf(ctx.path) : [];
    await (sites.length === 0 ? unframed : securityHeaders(hashes, sites))(ctx, next);
  });
  app.use(compress({ threshold: 2048, br: false, gzip: { level: 4 } }));
  app.use(async (ctx, next) => {
    cutStalled(ctx.res, stallMs);
    // A client that refuses every encoding gets the page uncompressed: koa-compress finds no encoding for it and would throw.
    if (ctx.acceptsEncodings('gzip', 'identity') === false) ctx.compress = false;
    try {
      await next();
    } catch (error) {
      answerError(ctx, error, options.logger);
    }
  });
  app.use(router.routes());
  app.on('error', (error: NodeJS.ErrnoException) => {
    // A client that goes away while we write is everyday life.
    const codes = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'];
    if (!codes.includes(error.code ?? '')) options.logger.error('The server could not answer', { error });
  });
  const handle = app.callback();
  return (request, response) => void handle(request, response);
}

function answerError(ctx: Context, error: unknown, logger: Logger): void {
  const answer = toErrorAnswer(error, '');
  if (answer.isUnexpected) logger.error('A page could not be served', { path: ctx.path, error });
  ctx.status = answer.status;
  ctx.set('cache-control', 'no-store');
  ctx.body = answer.body;
}

async function serveExtension(ctx: Context, options: PagesOptions): Promise<void> {
  const [, , id = '', place = '', ...rest] = ctx.path.split('/');
  const files = options.webFilesOf(id, place);
  const path = decodedPath(rest.join('/'));
  const sent =
    files !== undefined &&
    path !== undefined &&
    (await sendFile(ctx, files.folder, path, files.isCurrent ? immutableCache : 'no-cache'));
  if (!sent) throw httpErrors.create('NOT_FOUND');
}

/** @param sites that may show the page inside theirs */
function securityHeaders(hashes: readonly string[], sites: readonly string[]) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: pagePolicy(hashes, sites),
    },
    // Served by plain http on a home network as well: only a proxy with a certificate may promise more.
    hsts: false,
    // The header knows no lists of sites.
    frameguard: sites.length === 0 ? { action: 'deny' } : false,
    crossOriginEmbedderPolicy: false,
    originAgentCluster: true,
    referrerPolicy: { policy: 'no-referrer' },
  });
}
