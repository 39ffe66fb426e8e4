import type { IncomingMessage } from 'node:http';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Readable } from 'node:stream';
import { httpErrors } from './http-errors.ts';
import { parseJson } from './parse-json.ts';

/** Reads a JSON body: no more than `limit` bytes after decompression. Undefined for an empty one. */
export async function readJsonBody(request: IncomingMessage, limit: number): Promise<unknown> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) throw httpErrors.create('BODY_TOO_LARGE', { limit });
  if (declared === 0 && request.headers['transfer-encoding'] === undefined) return undefined;
  if (type !== '' && type !== 'application/json' && !type.endsWith('+json')) {
    // A url-encoded body counts as empty: clients of the v1 API name that type when they send none.
    request.resume();
    if (type === 'application/x-www-form-urlencoded') return undefined;
    throw httpErrors.create('BODY_TYPE');
  }
  const text = await readText(inflated(request), limit);
  return text.trim() === '' ? undefined : parseJson(text);
}

function inflated(request: IncomingMessage): Readable {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  switch (encoding) {
    case 'identity':
      return request;
    case 'gzip':
      return request.pipe(createGunzip());
    case 'deflate':
      return request.pipe(createInflate());
    case 'br':
      return request.pipe(createBrotliDecompress());
    default:
      throw httpErrors.create('BODY_ENCODING', { encoding: encoding.slice(0, 40) });
  }
}

async function readText(stream: Readable, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw httpErrors.create('BODY_TOO_LARGE', { limit });
      chunks.push(chunk);
    }
  } catch (error) {
    if (size > limit) throw error;
    throw httpErrors.create('BODY_CUT', {}, error);
  }
  return new TextDecoder('utf-8', { ignoreBOM: false }).decode(Buffer.concat(chunks));
}
