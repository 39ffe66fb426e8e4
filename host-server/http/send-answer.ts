import { validateHeaderName, validateHeaderValue } from 'node:http';
import { promisify } from 'node:util';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { gzip } from 'node:zlib';
import { RouteAnswer } from '@trellis/sdk/server';
import type { Leave } from '../runtime/places.ts';
import { writeCookie } from './cookies.ts';
import type { Exchange } from './exchange.ts';
import { cutStalled, stallMs } from './stream-answer.ts';

export type AnswerHeaders = Record<string, string | string[]>;

export const jsonType = 'application/json; charset=utf-8';

/** Larger answers are compressed if the client accepts that. Bytes. */
const compressedAbove = 2048;
/** Larger answers wait in memory for their client, so the request keeps its place until they are sent. Bytes. */
const keptAbove = 64 * 1024;
const gzipBytes = promisify(gzip);

/**
 * The headers of every answer of the API: no page, no frame, no script, no caching. Helmet and the page's policy apply to pages and
 * files.
 */
export function fixedHeaders(exchange: Exchange, pluginGeneration: number): AnswerHeaders {
  return {
    'x-request-id': exchange.id,
    // A page without the live channel learns from its next call that plugins were switched.
    'x-trellis-plugins': String(pluginGeneration),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...exchange.extraHeaders,
  };
}

/** An answer with its head, ready to be written. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Replaced by the compressed body. */
  body: string | Uint8Array;
}

/** Reserves room for the bytes of an answer; throws if there is none. */
type Hold = (bytes: number) => Leave;

/**
 * Writes head and body at once; resolves when a large answer has been sent, immediately for a small one.
 *
 * @param hold is called before a large answer is compressed, and for the bytes that wait for the client. Nothing was sent if it
 *   throws.
 */
export async function sendWhole(exchange: Exchange, answer: WholeAnswer, hold?: Hold): Promise<void> {
  const { response } = exchange;
  const { status, headers } = answer;
  if (answer.body.length > compressedAbove) await compress(exchange, answer, hold);
  const length = bytesOf(answer.body);
  const giveBack = room(length, hold);
  if (status !== 204) headers['content-length'] = String(length);
  try {
    response.writeHead(status, headers);
    response.end(exchange.method === 'HEAD' ? undefined : answer.body);
    if (length <= keptAbove) return;
    const release = cutStalled(response, stallMs);
    await finished(response).catch(ignoreGone);
    release();
  } finally {
    giveBack?.();
  }
}

/** Compresses the body if the client accepts that. With many at a time, each waits for its turn, whole in memory. */
async function compress({ headers: asked }: Exchange, answer: WholeAnswer, hold?: Hold): Promise<void> {
  const { headers } = answer;
  headers.vary = headers.vary === undefined ? 'accept-encoding' : `${String(headers.vary)}, accept-encoding`;
  if (!takesGzip(asked['accept-encoding'])) return;
  const giveBack = room(bytesOf(answer.body), hold);
  try {
    answer.body = await gzipBytes(answer.body, { level: 4 });
  } finally {
    giveBack?.();
  }
  headers['content-encoding'] = 'gzip';
}

function bytesOf(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}

function room(length: number, hold: Hold | undefined): Leave | undefined {
  return length > keptAbove ? hold?.(length) : undefined;
}

/** A client that disconnects during an answer is no error. */
function ignoreGone(): void {}

function takesGzip(accepted: string | undefined): boolean {
  return accepted !== undefined && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted);
}

/** A handler's result, ready to be stored and sent. */
export interface ReadyAnswer extends Pick<RouteAnswer, 'status' | 'headers' | 'cookies'> {
  readonly body: string | Uint8Array | AsyncIterable<unknown>;
}

/**
 * @throws for values that JSON cannot hold (a cycle, a bigint), and for a head that HTTP cannot hold: once it is written, no other
 * answer is possible.
 */
export function readyAnswer(result: unknown): ReadyAnswer {
  const answer = isRouteAnswer(result) ? result : new RouteAnswer({ body: result });
  const { status, headers, cookies, body } = answer;
  checkHead(answer);
  return { status, headers, cookies, body: isStream(body) ? body : serialise(body) };
}

function checkHead({ status, headers, cookies }: RouteAnswer): void {
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new TypeError(`An answer has a status from 200 to 599, not ${String(status)}.`);
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  for (const cookie of cookies) validateHeaderValue('set-cookie', writeCookie(cookie, false));
}

/** Ends a stream that nobody will read. */
export function discard({ body }: Pick<ReadyAnswer, 'body'>): void {
  if (!isStream(body)) return;
  const source = body instanceof Readable ? body : Readable.from(body);
  source.on('error', ignoreGone).destroy();
}

/** An external plugin may have its own copy of the class. */
function isRouteAnswer(result: unknown): result is RouteAnswer {
  return (
    result instanceof RouteAnswer ||
    (typeof result === 'object' &&
      result !== null &&
      // An object without a prototype has no constructor.
      (result.constructor as { readonly name?: string } | undefined)?.name === 'RouteAnswer' &&
      'cookies' in result)
  );
}

export function isStream(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/**
 * Bytes are sent unchanged, and `''` stays an empty body, which clients of the v1 API expect of some calls; everything else is
 * JSON.
 */
export function serialise(body: unknown): string | Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (body === undefined || body === '') return '';
  const text = JSON.stringify(body) as string | undefined;
  if (text === undefined) throw new TypeError(`JSON cannot hold a ${typeof body}.`);
  return text;
}
