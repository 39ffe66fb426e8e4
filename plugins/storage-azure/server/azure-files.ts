import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { partsOf, type ByteRange, type Outbound, type OutboundStream } from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import { azureErrors, isPassing, toAzureError, toConnectionError } from './azure-errors.ts';
import type { AzurePlace } from './azure-settings.ts';
import { sharedKey } from './sign.ts';

/** The supported version of Azure's API. */
const version = '2021-08-06';
/** Bytes of a block of a large file, which is the memory of an upload. */
const blockSize = 8 * 1024 * 1024;
/** Milliseconds for a short call, and for reading a whole file, even slowly. */
const limits = { short: 60_000, reading: 6 * 60 * 60_000 };
const attempts = 3;
/** Milliseconds before the second attempt, doubled before the third. */
const pause = 200;

interface AzureCall {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** In memory, so that it can be sent again. */
  readonly body?: string | Uint8Array;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/** Files as blobs of a container. */
export interface AzureFiles {
  put(key: string, content: Readable, signal: AbortSignal): Promise<void>;
  /** @throws TrellisError 404 `FILE_UNKNOWN` */
  get(key: string, signal: AbortSignal, part?: ByteRange): Promise<Readable>;
  remove(key: string, signal: AbortSignal): Promise<void>;
}

/** @param place called for each request, because settings may change while files are read and written */
export function createAzureFiles(outbound: Pick<Outbound, 'open'>, place: () => AzurePlace): AzureFiles {
  async function once(call: AzureCall): Promise<OutboundStream> {
    const { account, key, container, url } = place();
    const { method, body, signal, timeoutMs = limits.short } = call;
    const at = new URL(call.key, url);
    at.search = new URLSearchParams(call.query).toString();
    const headers = {
      ...call.headers,
      ...(body !== undefined && {
        'content-length': String(Buffer.byteLength(body)),
        'content-md5': createHash('md5').update(body).digest('base64'),
      }),
      'x-ms-date': new Date().toUTCString(),
      'x-ms-version': version,
    };
    const authorization = sharedKey({ method, url: at, headers }, { account, key });
    const asked = { account, container, host: url.host };
    let answer: OutboundStream;
    try {
      answer = await outbound.open(at.href, {
        purpose: 'storage',
        method,
        headers: { ...headers, authorization },
        // A redirect would need another signature.
        redirects: 0,
        timeoutMs,
        limit: Number.MAX_SAFE_INTEGER,
        signal,
        ...(body !== undefined && { body }),
      });
    } catch (error) {
      signal.throwIfAborted();
      throw toConnectionError(error, asked);
    }
    const { status, stream } = answer;
    if (status >= 200 && status < 300) return answer;
    stream.destroy();
    if (status === 404 && answer.headers['x-ms-error-code'] === 'BlobNotFound')
      throw new TrellisError('FILE_UNKNOWN', 'There is no such file.', { status: 404 });
    throw toAzureError(status, answer.headers, asked);
  }

  async function open(call: AzureCall): Promise<OutboundStream> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once(call);
      } catch (error) {
        call.signal.throwIfAborted();
        if (attempt === attempts || !isPassing(error)) throw error;
        await delay(pause * attempt, undefined, { signal: call.signal });
      }
    }
  }

  /** For answers whose status is sufficient. */
  async function send(call: AzureCall): Promise<void> {
    (await open(call)).stream.destroy();
  }

  /** Azure removes uncommitted blocks after a week; the blob appears only with the complete list. */
  async function putInBlocks(
    key: string,
    first: Uint8Array,
    {
      rest,
      signal,
    }: { readonly rest: AsyncIterable<{ readonly bytes: Uint8Array }>; readonly signal: AbortSignal },
  ): Promise<void> {
    const ids: string[] = [];
    const sendBlock = async (bytes: Uint8Array): Promise<void> => {
      // All ids of a blob must have the same length.
      const blockid = Buffer.from(String(ids.length).padStart(8, '0')).toString('base64');
      await send({ method: 'PUT', key, query: { comp: 'block', blockid }, body: bytes, signal });
      ids.push(blockid);
    };
    await sendBlock(first);
    for await (const { bytes } of rest) await sendBlock(bytes);
    const list = ids.map((id) => `<Latest>${id}</Latest>`).join('');
    await send({
      method: 'PUT',
      key,
      query: { comp: 'blocklist' },
      headers: { 'content-type': 'application/xml', 'x-ms-blob-content-type': 'application/octet-stream' },
      body: `<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`,
      signal,
    });
  }

  return {
    async put(key, content, signal) {
      const parts = partsOf(content, blockSize);
      try {
        const { value: first } = await parts.next();
        if (first === undefined) return;
        // If the container is public, files are served as bytes, never as a page or a script.
        const headers = { 'content-type': 'application/octet-stream', 'x-ms-blob-type': 'BlockBlob' };
        if (first.isLast) await send({ method: 'PUT', key, headers, body: first.bytes, signal });
        else await putInBlocks(key, first.bytes, { rest: parts, signal });
      } finally {
        content.destroy();
      }
    },
    async get(key, signal, part) {
      const headers = part && { range: `bytes=${part.start}-${part.end}` };
      const call = { method: 'GET', key, signal, timeoutMs: limits.reading } as const;
      const { status, stream } = await open({ ...call, ...(headers && { headers }) });
      if (part === undefined || status === 206) return stream;
      stream.destroy();
      throw azureErrors.create('AZURE_REFUSED', { status, code: 'no range' });
    },
    async remove(key, signal) {
      const headers = { 'x-ms-delete-snapshots': 'include' };
      await send({ method: 'DELETE', key, headers, signal }).catch((error: unknown) => {
        // A missing file is no error.
        if ((error as { readonly code?: unknown }).code !== 'FILE_UNKNOWN') throw error;
      });
    },
  };
}
