import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  awsQuery,
  sha256Hex,
  signedAwsHeaders,
  type Outbound,
  type OutboundCall,
  type OutboundStream,
} from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import { isPassing, toConnectionError, toS3Error, type S3Act } from './s3-errors.ts';
import type { S3Place } from './s3-settings.ts';

/** One call of the store. */
export interface S3Call {
  readonly act: S3Act;
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Of the object, without the prefix. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** In memory, so that it can be sent again. */
  readonly body?: string | Uint8Array;
  readonly signal: AbortSignal;
  /** Milliseconds until the answer's last byte. */
  readonly timeoutMs?: number;
}

/** The store's answer, with its XML. */
export interface S3Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly xml: string;
}

const patience = 60_000;
/** The most bytes of an XML answer. */
const longestXml = 256 * 1024;
const attempts = 3;
/** Milliseconds before the second attempt, doubled before the third. */
const pause = 200;

/** Calls the store: signs, retries temporary failures, and converts errors to its own. */
export function createS3Caller(outbound: Pick<Outbound, 'open'>, place: S3Place) {
  const { url, bucket, region, prefix } = place;

  async function once(call: S3Call): Promise<OutboundStream> {
    const { method, key, query = {}, headers = {}, body, signal, timeoutMs = patience } = call;
    const at = new URL(`${prefix}${key}`, url);
    at.search = awsQuery(Object.entries(query));
    const bodyHash = sha256Hex(body ?? '');
    const length: Readonly<Record<string, string>> =
      body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options: OutboundCall = {
      purpose: 'storage',
      method,
      headers: signedAwsHeaders(
        { method, url: at, headers: { ...headers, ...length }, bodyHash, at: new Date() },
        place,
      ),
      // A redirect would need another signature.
      redirects: 0,
      timeoutMs,
      limit: Number.MAX_SAFE_INTEGER,
      signal,
      ...(body !== undefined && { body }),
    };
    try {
      return await outbound.open(at.href, options);
    } catch (error) {
      signal.throwIfAborted();
      throw toConnectionError(error, { host: url.host, bucket, region });
    }
  }

  async function refusal(answer: OutboundStream, { act, method }: S3Call): Promise<TrellisError> {
    const { status, headers } = answer;
    const code = tagIn(await xmlOf(answer), 'Code') ?? '';
    if (
      status === 404 &&
      (code === 'NoSuchKey' || (code === '' && (method === 'GET' || method === 'DELETE')))
    )
      return new TrellisError('FILE_UNKNOWN', 'There is no such file.', { status: 404 });
    return toS3Error({ status, code: shortCode(code), date: headers['date'] }, { act, bucket, region });
  }

  /** @throws TrellisError `FILE_UNKNOWN` for an unknown key, `S3_...`, and the errors of the outbound gate. */
  async function open(call: S3Call): Promise<OutboundStream> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await once(call);
        if (answer.status >= 200 && answer.status < 300) return answer;
        throw await refusal(answer, call);
      } catch (error) {
        call.signal.throwIfAborted();
        if (attempt === attempts || !isPassing(error)) throw error;
        await delay(pause * attempt, undefined, { signal: call.signal });
      }
    }
  }

  return {
    /** For answers larger than XML; the caller must read the stream or destroy it. */
    open,
    /** The same for short answers. An error with status 200 is an error. */
    async send(call: S3Call): Promise<S3Answer> {
      const answer = await open(call);
      const { status, headers } = answer;
      const xml = await xmlOf(answer);
      const code = /<Error[\s>]/.test(xml) ? (tagIn(xml, 'Code') ?? '') : undefined;
      if (code !== undefined)
        throw toS3Error({ status: 500, code: shortCode(code) }, { act: call.act, bucket, region });
      return { status, headers, xml };
    },
  };
}

export type S3Caller = ReturnType<typeof createS3Caller>;

/** The text within the first tag of a name; in these answers, tags of the same name are not nested. */
export function tagIn(xml: string, name: string): string | undefined {
  const [, content] = new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`).exec(xml) ?? [];
  return content === undefined ? undefined : unescapeXml(content.trim());
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function unescapeXml(content: string): string {
  return content.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|quot|apos|amp));/gi,
    (all, hex, decimal, name) => {
      if (typeof name === 'string') return entities[name.toLowerCase()] ?? all;
      const point = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal);
      return point <= 0x10ffff ? String.fromCodePoint(point) : all;
    },
  );
}

function shortCode(code: string): string {
  return /^[A-Za-z]{1,60}$/.test(code) ? code : '';
}

async function xmlOf({ stream, headers }: OutboundStream): Promise<string> {
  if (Number(headers['content-length'] ?? 0) > longestXml) {
    stream.destroy();
    return '';
  }
  return text(stream).catch(() => '');
}
