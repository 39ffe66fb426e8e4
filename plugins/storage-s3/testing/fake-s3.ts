import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { awsSignature, sha256Hex } from '@trellis/sdk/server';

/** Minimum bytes of each part but the last one, as at Amazon. */
const leastPart = 5 * 1024 * 1024;
const mostMinutesOff = 15;

/** A store for tests. */
export interface FakeS3 {
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string;
  readonly settings: Readonly<Record<string, string>>;
  /** The bucket's objects by key. */
  readonly objects: Map<string, Buffer>;
  /** The ids of multipart uploads that are neither completed nor aborted. */
  readonly uploads: ReadonlyMap<string, unknown>;
  /** The calls in order: `PUT key?partNumber=1&uploadId=...`. */
  readonly calls: string[];
  /** Returns an error of the store for a call instead of carrying it out, or delays it until the promise settles. */
  intercept: ((call: string) => FakeRefusal | undefined | Promise<FakeRefusal | undefined>) | undefined;
  close(): Promise<void>;
}

/** An error of the store. */
export interface FakeRefusal {
  readonly status: number;
  readonly code: string;
}

class Refused extends Error {
  readonly refusal: FakeRefusal;
  constructor(status: number, code: string) {
    super(code);
    this.refusal = { status, code };
  }
}

interface Upload {
  readonly key: string;
  readonly parts: Map<number, Buffer>;
}

const keys = { access_key: 'AKIDEXAMPLE', access_secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const region = 'eu-test-1';

/**
 * A store that implements S3's documented protocol for these calls, and is as strict: it checks each call's signature, time and
 * hash, each part's length and the list of parts.
 */
export async function startFakeS3(bucket = 'trellis-files'): Promise<FakeS3> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Upload>();
  const calls: string[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? ''}`);
    const body = await buffer(request);
    assertSigned(request, url, body);
    const [, asked = '', key = ''] = /^\/([^/]+)\/(.*)$/.exec(url.pathname) ?? [];
    if (asked !== bucket) throw new Refused(404, 'NoSuchBucket');
    const call = `${request.method ?? ''} ${key}${url.search}`;
    calls.push(call);
    const refusal = await fake.intercept?.(call);
    if (refusal !== undefined) throw new Refused(refusal.status, refusal.code);
    const uploadId = url.searchParams.get('uploadId');
    if (url.searchParams.has('uploads')) begin(key, response);
    else if (uploadId !== null) onUpload({ uploadId, key, body, url }, request, response);
    else onObject(key, body, request, response);
  }

  function begin(key: string, response: ServerResponse): void {
    // Like those of some stores, with characters that XML and addresses must escape.
    const id = `${randomBytes(8).toString('base64')}&<+/`;
    uploads.set(id, { key, parts: new Map() });
    const written = id.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    response.end(
      `<?xml version="1.0"?>\n<InitiateMultipartUploadResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Bucket>${bucket}</Bucket><Key>${key}</Key><UploadId>${written}</UploadId></InitiateMultipartUploadResult>`,
    );
  }

  function onUpload(
    { uploadId, key, body, url }: { uploadId: string; key: string; body: Buffer; url: URL },
    { method }: IncomingMessage,
    response: ServerResponse,
  ): void {
    const upload = uploads.get(uploadId);
    if (upload?.key !== key) throw new Refused(404, 'NoSuchUpload');
    if (method === 'DELETE') {
      uploads.delete(uploadId);
      response.writeHead(204).end();
    } else if (method === 'PUT') {
      const number = Number(url.searchParams.get('partNumber'));
      if (!Number.isInteger(number) || number < 1 || number > 10_000)
        throw new Refused(400, 'InvalidArgument');
      upload.parts.set(number, body);
      response.setHeader('etag', tagOf(body)).end();
    } else {
      objects.set(key, completed(upload, body.toString()));
      uploads.delete(uploadId);
      response.end('<?xml version="1.0"?>\n<CompleteMultipartUploadResult></CompleteMultipartUploadResult>');
    }
  }

  function onObject(key: string, body: Buffer, request: IncomingMessage, response: ServerResponse): void {
    const { method, headers } = request;
    if (method === 'PUT') {
      if (headers['content-length'] === undefined) throw new Refused(411, 'MissingContentLength');
      objects.set(key, body);
      response.setHeader('etag', tagOf(body)).end();
      return;
    }
    if (method === 'DELETE') {
      objects.delete(key);
      response.writeHead(204).end();
      return;
    }
    const found = objects.get(key);
    if (found === undefined) throw new Refused(404, 'NoSuchKey');
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    if (start === undefined) return void response.end(found);
    if (Number(start) >= found.length) throw new Refused(416, 'InvalidRange');
    response.writeHead(206).end(found.subarray(Number(start), Number(end) + 1));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const { status, code } =
        error instanceof Refused ? error.refusal : { status: 500, code: 'InternalError' };
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(
          `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>words of the store</Message></Error>`,
        );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fake: FakeS3 = {
    endpoint,
    settings: { provider: 'minio', endpoint, bucket, region, ...keys, addressing: 'usual' },
    objects,
    uploads,
    calls,
    intercept: undefined,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return fake;
}

function assertSigned({ method = '', headers }: IncomingMessage, url: URL, body: Buffer): void {
  const [, accessKey, date, asked, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (accessKey === undefined || names === undefined || signature === undefined)
    throw new Refused(403, 'AccessDenied');
  if (accessKey !== keys.access_key) throw new Refused(403, 'InvalidAccessKeyId');
  if (asked !== region) throw new Refused(400, 'AuthorizationHeaderMalformed');
  const time = String(headers['x-amz-date']);
  const at = Date.parse(time.replace(/^(\d{4})(\d{2})(\d{2}T\d{2})(\d{2})(\d{2}Z)$/, '$1-$2-$3:$4:$5'));
  if (!time.startsWith(String(date)) || !(Math.abs(Date.now() - at) < mostMinutesOff * 60_000))
    throw new Refused(403, 'RequestTimeTooSkewed');
  const signed = names.split(';');
  const mustBe = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  if (mustBe.some((name) => !signed.includes(name)) || signed.join() !== signed.toSorted().join())
    throw new Refused(403, 'AccessDenied');
  const bodyHash = String(headers['x-amz-content-sha256']);
  if (bodyHash !== sha256Hex(body)) throw new Refused(400, 'XAmzContentSHA256Mismatch');
  const call = { method, url, headers: headers as Record<string, string>, names: signed, bodyHash, time };
  const wanted = awsSignature(call, { secretKey: keys.access_secret, region, service: 's3' });
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(wanted)))
    throw new Refused(403, 'SignatureDoesNotMatch');
}

function completed({ parts }: Upload, xml: string): Buffer {
  const listed = [...xml.matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag><\/Part>/g)];
  const found = listed.map(([, number, tag], at) => {
    const part = parts.get(Number(number));
    if (part === undefined || tag?.replaceAll('&#34;', '"') !== tagOf(part))
      throw new Refused(400, 'InvalidPart');
    if (Number(number) !== at + 1) throw new Refused(400, 'InvalidPartOrder');
    if (at < listed.length - 1 && part.length < leastPart) throw new Refused(400, 'EntityTooSmall');
    return part;
  });
  if (found.length === 0) throw new Refused(400, 'MalformedXML');
  return Buffer.concat(found);
}

function tagOf(content: Buffer): string {
  return `"${createHash('md5').update(content).digest('hex')}"`;
}
