import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { sharedKey } from '../server/sign.ts';

/** An error of the store. */
export interface FakeRefusal {
  readonly status: number;
  readonly code: string;
  readonly date?: string;
}

/** A store for tests. */
export interface FakeAzure {
  readonly settings: Readonly<Record<string, string>>;
  /** The container's blobs by name. */
  readonly blobs: Map<string, Buffer>;
  /** The calls in order: `PUT key?comp=block&...`. */
  readonly calls: string[];
  /** Returns an error of the store for a call instead of carrying it out. */
  intercept: ((call: string) => FakeRefusal | undefined) | undefined;
  close(): Promise<void>;
}

class Refused extends Error {
  readonly refusal: FakeRefusal;
  constructor(refusal: FakeRefusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

const account = 'trellisfiles';
const container = 'files';
const key = Buffer.from('the key of a store for tests').toString('base64');

/**
 * A store that implements Azure Blob Storage's documented interface for these calls: it checks the signature, the time, the
 * version, each body's hash and the block list. Like Azure, it names errors in a header.
 */
export async function startFakeAzure(): Promise<FakeAzure> {
  const blobs = new Map<string, Buffer>();
  const blocks = new Map<string, Buffer>();
  const calls: string[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request;
    const url = new URL(request.url ?? '/', `http://${headers.host ?? ''}`);
    const body = await buffer(request);
    assertSigned(request, url, body);
    const [, asked, name = ''] = /^\/trellisfiles\/([^/]+)\/(.*)$/.exec(url.pathname) ?? [];
    if (asked !== container) throw new Refused({ status: 404, code: 'ContainerNotFound' });
    const call = `${method} ${name}${url.search}`;
    calls.push(call);
    const refusal = fake.intercept?.(call);
    if (refusal !== undefined) throw new Refused(refusal);
    if (method === 'PUT') {
      put(name, { url, body, headers });
      response.writeHead(201).end();
      return;
    }
    const found = blobs.get(name);
    if (found === undefined) throw new Refused({ status: 404, code: 'BlobNotFound' });
    if (method === 'DELETE') {
      blobs.delete(name);
      response.writeHead(202).end();
      return;
    }
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    if (start === undefined) response.end(found);
    else response.writeHead(206).end(found.subarray(Number(start), Number(end) + 1));
  }

  function put(
    name: string,
    { url, body, headers }: { url: URL; body: Buffer; headers: IncomingMessage['headers'] },
  ): void {
    const comp = url.searchParams.get('comp');
    if (comp === 'block') {
      blocks.set(`${name} ${url.searchParams.get('blockid') ?? ''}`, body);
    } else if (comp === 'blocklist') {
      const listed = [...body.toString().matchAll(/<Latest>([^<]+)<\/Latest>/g)].map(([, id]) =>
        blocks.get(`${name} ${id ?? ''}`),
      );
      const there = listed.filter((block) => block !== undefined);
      if (there.length < listed.length) throw new Refused({ status: 400, code: 'InvalidBlockList' });
      blobs.set(name, Buffer.concat(there));
    } else {
      if (headers['x-ms-blob-type'] !== 'BlockBlob')
        throw new Refused({ status: 400, code: 'MissingRequiredHeader' });
      blobs.set(name, body);
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const { status, code, date } =
        error instanceof Refused ? error.refusal : { status: 500, code: 'InternalError', date: undefined };
      if (date !== undefined) response.setHeader('date', date);
      response.writeHead(status, { 'x-ms-error-code': code }).end('words of the store');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${account}`;
  const fake: FakeAzure = {
    settings: { account, account_key: key, container, endpoint },
    blobs,
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
  const wrong = new Refused({ status: 403, code: 'AuthenticationFailed' });
  const off = Math.abs(Date.now() - Date.parse(String(headers['x-ms-date'])));
  if (!(off < 15 * 60_000) || headers['x-ms-version'] === undefined) throw wrong;
  const sent = headers as Readonly<Record<string, string>>;
  if (headers.authorization !== sharedKey({ method, url, headers: sent }, { account, key })) throw wrong;
  const hash = createHash('md5').update(body).digest('base64');
  if (method === 'PUT' && headers['content-md5'] !== hash)
    throw new Refused({ status: 400, code: 'Md5Mismatch' });
  if (method === 'PUT' && headers['content-length'] === undefined)
    throw new Refused({ status: 411, code: 'MissingContentLengthHeader' });
}
