import type { IncomingMessage } from 'node:http';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Readable } from 'node:stream';
import { httpErrors } from './http-errors.ts';

const deepest = 200;

/** Reads a JSON body: no more than `limit` bytes after decompression. Undefined for an empty one. */
export async function readJsonBody(request: IncomingMessage, limit: number): Promise<unknown> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) throw httpErrors.create('BODY_TOO_LARGE', { limit });
  if (declared === 0 && request.headers['transfer-encoding'] === undefined) return undefined;
  if (type !== '' && type !== 'application/json' && !type.endsWith('+json')) {
    // CONTRACT 1: url-encoded bodies count as empty, as clients without a body send them.
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

/** Parses JSON that cannot hurt: no `__proto__`, no endless nesting, no number that would be rounded in silence. */
export function parseJson(text: string): unknown {
  assertDepth(text);
  try {
    return JSON.parse(text, (key, value: unknown) => {
      if (key === '__proto__') throw new SyntaxError("the key '__proto__' is not allowed");
      return value;
    });
  } catch (error) {
    throw httpErrors.create('BODY_NOT_JSON', {
      problem: (error instanceof Error ? error.message : '').slice(0, 120),
    });
  }
}

/** Counts brackets outside of texts: the parser itself would recurse as deep as the body says. */
function assertDepth(text: string): void {
  let depth = 0;
  let isText = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isText) {
      if (code === 92) index += 1;
      else if (code === 34) isText = false;
    } else if (code === 34) isText = true;
    else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > deepest)
        throw httpErrors.create('BODY_NOT_JSON', { problem: `nested deeper than ${deepest}` });
    } else if (code === 93 || code === 125) depth -= 1;
  }
}
