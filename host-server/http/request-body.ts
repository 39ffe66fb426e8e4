import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { TrellisError } from '@trellis/core';
import { httpErrors } from './http-errors.ts';
import { JsonReader } from './json-reader.ts';

/** How much of a body is taken, and for how long. */
export interface BodyLimits {
  /** Bytes after decompression. */
  readonly bytes: number;
  /** Milliseconds from the first look at the body to its end; a body that takes longer is cut with its connection. */
  readonly time: number;
}

/** Whether a body comes with a request, as its headers tell. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
}

/**
 * Reads a JSON body; undefined for an empty one.
 *
 * The body is closed, counted and timed in every encoding: when its sender goes away or takes too long, reading ends and the
 * decompression gives its memory back. A body that is refused leaves the connection open for the answer.
 *
 * @throws TrellisError 400 `BODY_CUT`, `BODY_NOT_JSON` or `BODY_NOT_UTF8`, 413 `BODY_TOO_LARGE` or `BODY_TOO_MANY_VALUES`, 415
 * `BODY_TYPE` or `BODY_ENCODING`.
 */
export async function readJsonBody(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  if (Number(request.headers['content-length'] ?? 0) > limits.bytes)
    throw httpErrors.create('BODY_TOO_LARGE', { limit: limits.bytes });
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && !type.endsWith('+json')) {
    // A url-encoded body counts as empty: clients of the v1 API name that type when they send none.
    request.resume();
    if (type === 'application/x-www-form-urlencoded') return undefined;
    throw httpErrors.create('BODY_TYPE');
  }
  const reader = new JsonReader(limits.bytes);
  await forEachChunk(request, limits, (chunk) => reader.add(chunk));
  return reader.value();
}

async function forEachChunk(
  request: IncomingMessage,
  limits: BodyLimits,
  take: (chunk: Uint8Array) => void,
): Promise<void> {
  const decoder = decoderOf(request);
  const timer = setTimeout(() => request.destroy(), limits.time);
  // The request itself stays open when reading stops early: its connection still has to carry the answer.
  const body = request.iterator({ destroyOnReturn: false });
  const takeAll = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of chunks) take(chunk);
  };
  try {
    await (decoder === undefined ? takeAll(body) : pipeline(body, decoder, takeAll));
  } catch (error) {
    // The rest is read and dropped, so that a sender who has not finished still hears the answer.
    request.resume();
    throw error instanceof TrellisError ? error : httpErrors.create('BODY_CUT', {}, error);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A body for a handler to read, decompressed. The stream fails with the errors of `readJsonBody` when its sender goes away, and
 * when it grows larger or lasts longer than the limits say.
 */
export function limitedStream(request: IncomingMessage, limits: BodyLimits): Readable {
  const timer = setTimeout(() => request.destroy(), limits.time);
  let size = 0;
  const counted = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      size += chunk.length;
      done(size > limits.bytes ? httpErrors.create('BODY_TOO_LARGE', { limit: limits.bytes }) : null, chunk);
    },
  });
  const decoder = decoderOf(request);
  const body = request.iterator({ destroyOnReturn: false });
  const whole = decoder === undefined ? pipeline(body, counted) : pipeline(body, decoder, counted);
  // The reader of the stream sees its error.
  whole.catch(() => request.resume()).finally(() => clearTimeout(timer));
  return counted;
}

function decoderOf(request: IncomingMessage): Transform | undefined {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  switch (encoding) {
    case 'identity':
      return undefined;
    case 'gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw httpErrors.create('BODY_ENCODING', { encoding: encoding.slice(0, 40) });
  }
}
