import type { Readable } from 'node:stream';
import { partsOf, type ByteRange, type Outbound } from '@trellis/sdk/server';
import { createS3Caller, tagIn, type S3Caller } from './s3-call.ts';
import { s3Errors } from './s3-errors.ts';
import type { S3Place } from './s3-settings.ts';

/** Bytes of a part of a large file, which is the memory of an upload: more than the stores' minimum of 5 MB. */
const partSize = 8 * 1024 * 1024;
/** Milliseconds for reading a whole file, even slowly. */
const readingMs = 6 * 60 * 60_000;
/** Milliseconds to clean up after a failed upload. */
const abortMs = 10_000;

const fileHeaders = {
  // If the bucket is public, files are served as bytes, never as a page or a script.
  'content-type': 'application/octet-stream',
};

/** Files as objects of a bucket. */
export interface S3Files {
  put(key: string, content: Readable, signal: AbortSignal): Promise<void>;
  /** @throws TrellisError 404 `FILE_UNKNOWN` */
  get(key: string, signal: AbortSignal, part?: ByteRange): Promise<Readable>;
  remove(key: string, signal: AbortSignal): Promise<void>;
}

/** @param place called for each request, because settings may change while files are read and written */
export function createS3Files(outbound: Pick<Outbound, 'open'>, place: () => S3Place): S3Files {
  return {
    async put(key, content, signal) {
      const caller = createS3Caller(outbound, place());
      const parts = partsOf(content, partSize);
      try {
        const { value: first } = await parts.next();
        if (first === undefined) return;
        if (first.isLast)
          await caller.send({
            act: 'write',
            method: 'PUT',
            key,
            headers: fileHeaders,
            body: first.bytes,
            signal,
          });
        else await putInParts(caller, key, { first: first.bytes, parts, signal });
      } finally {
        content.destroy();
      }
    },
    async get(key, signal, part) {
      const headers = part && { range: `bytes=${part.start}-${part.end}` };
      const caller = createS3Caller(outbound, place());
      const call = { act: 'read', method: 'GET', key, signal, timeoutMs: readingMs } as const;
      const { status, stream } = await caller.open({ ...call, ...(headers && { headers }) });
      if (part === undefined || status === 206) return stream;
      stream.destroy();
      throw s3Errors.create('S3_REFUSED', { status, code: 'no range' });
    },
    async remove(key, signal) {
      await createS3Caller(outbound, place())
        .send({ act: 'delete', method: 'DELETE', key, signal })
        .catch((error: unknown) => {
          // A missing file is no error.
          if ((error as { readonly code?: unknown }).code !== 'FILE_UNKNOWN') throw error;
        });
    },
  };
}

interface PartsToSend {
  readonly first: Uint8Array;
  readonly parts: AsyncIterable<{ readonly bytes: Uint8Array }>;
  readonly signal: AbortSignal;
}

/** An object appears only when all its parts are complete; the parts of a failed one are deleted. */
async function putInParts(
  caller: S3Caller,
  key: string,
  { first, parts, signal }: PartsToSend,
): Promise<void> {
  const call = { act: 'write', key, signal } as const;
  const begun = await caller.send({ ...call, method: 'POST', query: { uploads: '' }, headers: fileHeaders });
  const uploadId = tagIn(begun.xml, 'UploadId');
  if (uploadId === undefined)
    throw s3Errors.create('S3_REFUSED', { status: begun.status, code: 'no upload' });
  const tags: string[] = [];
  const send = async (bytes: Uint8Array): Promise<void> => {
    const query = { partNumber: String(tags.length + 1), uploadId };
    const { headers } = await caller.send({ ...call, method: 'PUT', query, body: bytes });
    tags.push(headers['etag'] ?? '');
  };
  try {
    await send(first);
    for await (const { bytes } of parts) await send(bytes);
    const body = completion(tags);
    const headers = { 'content-type': 'application/xml' };
    await caller.send({ ...call, method: 'POST', query: { uploadId }, headers, body });
  } catch (error) {
    const own = AbortSignal.timeout(abortMs);
    // Parts that cannot be deleted now take space until the bucket's own rule removes them; the first error is reported.
    await caller
      .send({ act: 'delete', method: 'DELETE', key, query: { uploadId }, signal: own })
      .catch(() => undefined);
    throw error;
  }
}

function completion(tags: readonly string[]): string {
  const parts = tags.map(
    (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
  );
  return `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`;
}

function escapeXml(content: string): string {
  return content.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
