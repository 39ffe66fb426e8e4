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

/** Answers that are larger are compressed where the client takes that. */
const compressedAbove = 2048;
/** Answers that are larger wait in memory for their reader, so the request keeps its place until they are out. */
const keptAbove = 64 * 1024;
const gzipBytes = promisify(gzip);

/**
 * What every answer of the API says: it is no page, no frame, no script, and in no cache. Helmet and the policy of the page belong
 * to pages and files.
 */
export function fixedHeaders(exchange: Exchange, pluginGeneration: number): AnswerHeaders {
  return {
    'x-request-id': exchange.id,
    // A page that hears nothing on the live channel learns from its next call that plugins were switched.
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
  /** Gives way to the compressed one. */
  body: string | Uint8Array;
}

/** Takes room for so many bytes of an answer, and throws where there is none. */
type Hold = (bytes: number) => Leave;

/**
 * Writes head and body at once; resolves when a large answer has left, at once for a small one.
 *
 * @param hold is asked for room before a large answer is compressed, and for what is left of it while it waits for its reader.
 *   Nothing was sent when it throws.
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

/** Compresses the body where the client takes that. Many at a time wait for their turn, each of them whole in memory. */
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

/** A client that goes away while an answer is under way is nobody's error. */
function ignoreGone(): void {}

function takesGzip(accepted: string | undefined): boolean {
  return accepted !== undefined && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted);
}

/** What a handler returned, ready to be kept and sent. */
export interface ReadyAnswer extends Pick<RouteAnswer, 'status' | 'headers' | 'cookies'> {
  readonly body: string | Uint8Array | AsyncIterable<unknown>;
}

/** @throws what JSON cannot hold (a circle, a bigint), and a head that HTTP cannot hold: once it is written, nobody can answer any more. */
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

/** A plugin from elsewhere may bring its own copy of the class. */
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

/** Bytes are sent as they are, `''` stays an empty body, as clients of the v1 API expect of some calls; the rest is JSON. */
export function serialise(body: unknown): string | Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (body === undefined || body === '') return '';
  const text = JSON.stringify(body) as string | undefined;
  if (text === undefined) throw new TypeError(`JSON cannot hold a ${typeof body}.`);
  return text;
}
