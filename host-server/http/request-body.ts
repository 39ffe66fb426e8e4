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
  /** Milliseconds that the sender may send nothing while a reader waits; then the connection is cut. */
  readonly stall: number;
}

/** Whether a body comes with a request, as its headers tell. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
}

/** Whether the whole body has arrived already, as a small one does together with its headers, and is not compressed. */
export function hasArrived({ complete, destroyed, headers }: IncomingMessage): boolean {
  return complete && !destroyed && headers['content-encoding'] === undefined;
}

/** As `readJsonBody`, for a body that has arrived: nothing is waited for, so nobody has to be watched. */
export function readArrivedJson(request: IncomingMessage, bytes: number): unknown {
  const reader = jsonReaderOf(request, bytes);
  const body = reader && (request.read() as Uint8Array | null);
  if (body) reader.add(body);
  return reader?.value();
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
  const reader = jsonReaderOf(request, limits.bytes);
  if (reader === undefined) return undefined;
  await forEachChunk(request, limits, (chunk) => reader.add(chunk));
  return reader.value();
}

/** What reads the body of a request; undefined for one that counts as empty. */
function jsonReaderOf(request: IncomingMessage, bytes: number): JsonReader | undefined {
  if (Number(request.headers['content-length'] ?? 0) > bytes)
    throw httpErrors.create('BODY_TOO_LARGE', { limit: bytes });
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json' || type.endsWith('+json')) return new JsonReader(bytes);
  // A url-encoded body counts as empty: clients of the v1 API name that type when they send none.
  request.resume();
  if (type === 'application/x-www-form-urlencoded') return undefined;
  throw httpErrors.create('BODY_TYPE');
}

async function forEachChunk(
  request: IncomingMessage,
  limits: BodyLimits,
  take: (chunk: Uint8Array) => void,
): Promise<void> {
  const decoder = decoderOf(request);
  const release = cutSlow(request, limits);
  // The request stays open when reading stops early: the answer still goes over its connection.
  const body = request.iterator({ destroyOnReturn: false });
  const takeAll = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of chunks) take(chunk);
  };
  try {
    await (decoder === undefined ? takeAll(body) : pipeline(body, decoder, takeAll));
  } catch (error) {
    // The rest is read and dropped, so that a sender who has not finished still hears the answer.
    request.resume();
    throw cutShort(error);
  } finally {
    release();
  }
}

/**
 * Cuts a body, with its connection, that takes too long or of which nothing comes. What has come and waits for its reader does not
 * count against the sender.
 *
 * @returns ends the watching.
 */
export function cutSlow(request: IncomingMessage, { time, stall }: BodyLimits): () => void {
  const { socket } = request;
  const timer = setTimeout(() => request.destroy(), time);
  let seen = socket.bytesRead;
  let wasSilent = false;
  const looks = setInterval(() => {
    const isSilent = socket.bytesRead === seen && request.readableLength === 0 && !request.complete;
    if (isSilent && wasSilent) request.destroy();
    seen = socket.bytesRead;
    wasSilent = isSilent;
  }, stall / 2);
  return () => {
    clearTimeout(timer);
    clearInterval(looks);
  };
}

/**
 * A body for a handler to read, decompressed. The stream fails with the errors of `readJsonBody` when its sender goes away, and
 * when it grows larger or lasts longer than the limits say.
 *
 * @param arrived called when all of it has come; the stream ends once it has resolved, and fails with what it throws.
 */
export function limitedStream(
  request: IncomingMessage,
  limits: BodyLimits,
  arrived: () => void | Promise<void>,
): Readable {
  const release = cutSlow(request, limits);
  let size = 0;
  const counted = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      size += chunk.length;
      done(size > limits.bytes ? httpErrors.create('BODY_TOO_LARGE', { limit: limits.bytes }) : null, chunk);
    },
  });
  const decoder = decoderOf(request);
  const body = request.iterator({ destroyOnReturn: false });
  const whole = async function* () {
    try {
      if (decoder === undefined) yield* body;
      else yield* decoded(body, decoder);
    } catch (error) {
      throw cutShort(error);
    }
    release();
    await arrived();
  };
  // The reader of the stream sees its error.
  pipeline(whole, counted)
    .catch(() => request.resume())
    .finally(release);
  return counted;
}

async function* decoded(body: AsyncIterable<Uint8Array>, decoder: Transform): AsyncGenerator<Uint8Array> {
  const fed = pipeline(body, decoder);
  // Its reader sees the error.
  fed.catch(() => undefined);
  yield* decoder as AsyncIterable<Uint8Array>;
}

/** What ended a body before its end, in words: its sender, or bytes that are not of the encoding that the headers name. */
function cutShort(error: unknown): TrellisError {
  return error instanceof TrellisError ? error : httpErrors.create('BODY_CUT', {}, error);
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
