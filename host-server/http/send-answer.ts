import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RouteAnswer, type Logger } from '@trellis/sdk/server';
import type { Context as KoaContext } from 'koa';
import { writeCookie } from './cookies.ts';

export interface SendOptions {
  readonly logger: Logger;
  /** Whether browsers reach the site by https, maybe through a proxy that we cannot see. */
  readonly secureCookies: boolean;
}

export const jsonType = 'application/json; charset=utf-8';

/** Puts an answer into the response. */
export async function sendAnswer(ctx: KoaContext, answer: RouteAnswer, options: SendOptions): Promise<void> {
  ctx.status = answer.status;
  for (const cookie of answer.cookies) ctx.append('set-cookie', writeCookie(cookie, options.secureCookies));
  if (isStream(answer.body)) {
    ctx.set(answer.headers);
    await stream(ctx, answer.body, options.logger);
    return;
  }
  ctx.set('content-type', jsonType);
  ctx.set(answer.headers);
  ctx.body = serialise(answer.body);
}

/** Sends pieces as the client takes them. A failure half-way cuts the connection: a short file must not look whole. */
async function stream(ctx: KoaContext, body: AsyncIterable<unknown>, logger: Logger): Promise<void> {
  ctx.respond = false;
  const source = Readable.from(body, { objectMode: false, highWaterMark: 64 * 1024 });
  ctx.res.statusCode = ctx.status;
  try {
    await pipeline(source, ctx.res);
  } catch (error) {
    // A client that stops reading is no news.
    const isOurs = (error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE';
    ctx.res.destroy();
    if (isOurs) logger.warn('A streamed answer was cut', { path: ctx.path, error });
  }
}

/** What a handler returned, as an answer. */
export function toRouteAnswer(result: unknown): RouteAnswer {
  return isRouteAnswer(result) ? result : new RouteAnswer({ body: result });
}

/** A plugin from elsewhere may bring its own copy of the class. */
function isRouteAnswer(result: unknown): result is RouteAnswer {
  return (
    result instanceof RouteAnswer ||
    (typeof result === 'object' &&
      result !== null &&
      result.constructor.name === 'RouteAnswer' &&
      'cookies' in result)
  );
}

export function isStream(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** `''` stays an empty body, as clients of the v1 API expect of some calls; everything else is JSON. */
export function serialise(body: unknown): string {
  return body === undefined || body === '' ? '' : JSON.stringify(body);
}
