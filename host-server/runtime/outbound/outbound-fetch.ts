import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { defineErrors, TrellisError } from '@trellis/core';
import type { OutboundAnswer, OutboundCall, OutboundStream, OutboundTarget } from '@trellis/sdk/server';
import { keptConnections } from './kept-connections.ts';

const fetchErrors = defineErrors({
  OUTBOUND_ADDRESS: {
    status: 400,
    message:
      'The server cannot call that address: it must begin with http:// or https://, and hold no name or password.',
  },
  OUTBOUND_FAILED: { status: 502, message: "'{host}' could not be reached: {reason}" },
  OUTBOUND_TIMEOUT: { status: 504, message: "'{host}' did not answer within {seconds} seconds." },
  OUTBOUND_TOO_LARGE: { status: 502, message: "'{host}' answered with more than {limit} bytes." },
  OUTBOUND_ELSEWHERE: {
    status: 502,
    message: "'{host}' sends the call on to '{to}'. What is sent goes there only if you give that address.",
  },
  OUTBOUND_ONCE: {
    status: 502,
    message:
      "'{host}' sends the call on to '{to}', but what is sent is a stream, which is read once; give that address.",
  },
  OUTBOUND_LOST: {
    status: 502,
    message:
      "'{host}' answers with {status} and sends the call on to '{to}', where what is sent would be lost. Give the address that takes the call itself.",
  },
  OUTBOUND_REDIRECTS: { status: 502, message: "'{host}' sends the server from one address to the next." },
});

const defaults = { timeoutMs: 30_000, limit: 10 * 1024 * 1024, redirects: 5 };
/** Headers that may be sent to any host; each other one may contain a secret. */
const impersonal = /^(?:accept(?:-.*)?|content-.*|user-agent)$/i;
const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

type Resolve = (host: string, port: number, call: OutboundCall) => Promise<OutboundTarget>;

/** One request of a call; each redirect makes another. */
interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: OutboundCall['body'];
  readonly mayRepeat: boolean;
}

/** See `Outbound.fetch`. */
export async function outboundFetch(
  url: string,
  call: OutboundCall,
  resolve: Resolve,
): Promise<OutboundAnswer> {
  const { stream, ...answer } = await outboundOpen(url, call, resolve);
  return { ...answer, body: await buffer(stream) };
}

/** See `Outbound.open`. */
export async function outboundOpen(
  url: string,
  call: OutboundCall,
  resolve: Resolve,
): Promise<OutboundStream> {
  const { timeoutMs, limit, redirects } = { ...defaults, ...call };
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = call.signal === undefined ? deadline : AbortSignal.any([deadline, call.signal]);
  /** Explains a failed call that timed out or was aborted. */
  const explain = (host: string, error: unknown): unknown => {
    if (call.signal?.aborted === true) return call.signal.reason;
    if (!deadline.aborted) return error;
    return fetchErrors.create('OUTBOUND_TIMEOUT', { host, seconds: timeoutMs / 1000 }, error);
  };
  let hop: Hop = {
    url: httpAddress(url),
    method: call.method ?? 'GET',
    headers: call.headers ?? {},
    body: call.body,
    mayRepeat: call.mayRepeat === true && !(call.body instanceof Readable),
  };
  for (let followed = 0; ; followed += 1) {
    const host = hop.url.hostname;
    try {
      const isSetBySuperAdmin = call.isSetBySuperAdmin === true && isSameServer(new URL(url), hop.url);
      const target = await resolve(host, portOf(hop.url), { ...call, isSetBySuperAdmin });
      signal.throwIfAborted();
      const response = await send(hop, target, signal);
      const redirect = redirectOf(response);
      if (redirect === undefined) {
        const body = readBody(hop.url, response, { limit, explain: (error) => explain(host, error) });
        return answerOf(hop.url, response, body);
      }
      response.destroy();
      if (followed === redirects) throw fetchErrors.create('OUTBOUND_REDIRECTS', { host });
      hop = nextHop(hop, redirect, call);
    } catch (error) {
      if (call.body instanceof Readable) call.body.destroy();
      throw explain(host, error);
    }
  }
}

function httpAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    // The address is not quoted, since any part may be secret.
    throw fetchErrors.create('OUTBOUND_ADDRESS');
  return url;
}

/** Whether a redirect stays on the named server. An address elsewhere was not configured by anybody. */
function isSameServer(named: URL, next: URL): boolean {
  const isSecured = named.protocol === 'http:' && next.protocol === 'https:' && named.port + next.port === '';
  return named.origin === next.origin || (isSecured && named.hostname === next.hostname);
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/** @param fresh whether to open a new connection just for this request */
function send(
  hop: Hop,
  target: OutboundTarget,
  signal: AbortSignal,
  fresh = !hop.mayRepeat,
): Promise<IncomingMessage> {
  const { url, method, headers, body } = hop;
  // Connects to the address that was checked: a second look-up might return another one.
  const lookup: LookupFunction = (_host, options, answer) => {
    if (options.all === true) answer(null, [{ address: target.address, family: target.family }]);
    else answer(null, target.address, target.family);
  };
  const begin = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const options = {
      method,
      lookup,
      signal,
      agent: fresh ? (false as const) : keptConnections(url.protocol),
      checked: target,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'Trellis', ...headers },
    };
    const request = begin(url, options, resolve);
    request.on('error', (error) => {
      // The other side closed the idle connection before it was used.
      if (request.reusedSocket && isClosed(error) && !signal.aborted)
        return resolve(send(hop, target, signal, true));
      reject(fetchErrors.create('OUTBOUND_FAILED', { host: url.hostname, reason: error.message }, error));
    });
    if (!(body instanceof Readable)) return void request.end(body);
    // A failing request body is no fault of the other side.
    body.on('error', reject);
    pipeline(body, request, () => undefined);
  });
}

function isClosed(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE';
}

interface Redirect {
  readonly statusCode: number;
  readonly location: string;
}

/** The address of a redirect; undefined for a final answer. */
function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage): Redirect | undefined {
  return redirecting.has(statusCode) && location !== undefined ? { statusCode, location } : undefined;
}

/** @throws TrellisError `OUTBOUND_ADDRESS`, `OUTBOUND_ELSEWHERE`, `OUTBOUND_LOST`, `OUTBOUND_ONCE`. */
function nextHop(
  hop: Hop,
  { statusCode, location }: Redirect,
  { mustArrive }: Pick<OutboundCall, 'mustArrive'>,
): Hop {
  const url = httpAddress(URL.canParse(location, hop.url.href) ? new URL(location, hop.url).href : location);
  const isElsewhere = url.origin !== hop.url.origin;
  const kept = Object.entries(hop.headers).filter(([name]) => !isElsewhere || impersonal.test(name));
  const keepsAll = statusCode === 307 || statusCode === 308;
  if (mustArrive === true && (isElsewhere || !keepsAll)) {
    const [host, to] = [hop.url.hostname, url.origin];
    throw fetchErrors.create('OUTBOUND_LOST', { host, to, status: statusCode });
  }
  const keepsMethod = keepsAll || hop.method === 'GET' || hop.method === 'HEAD';
  if (keepsMethod) {
    if (isElsewhere && hop.body !== undefined)
      throw fetchErrors.create('OUTBOUND_ELSEWHERE', { host: hop.url.hostname, to: url.origin });
    if (hop.body instanceof Readable)
      throw fetchErrors.create('OUTBOUND_ONCE', { host: hop.url.hostname, to: url.origin });
    return { ...hop, url, headers: Object.fromEntries(kept) };
  }
  const withoutBody = kept.filter(([name]) => !/^content-/i.test(name));
  return { ...hop, url, method: 'GET', headers: Object.fromEntries(withoutBody), body: undefined };
}

function answerOf(url: URL, response: IncomingMessage, stream: Readable): OutboundStream {
  const headers = Object.entries(response.headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')] as const,
  );
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    stream,
    url: url.href,
  };
}

/** The limit of a body, and the explanation of its errors. */
interface BodyReading {
  /** Bytes. */
  readonly limit: number;
  readonly explain: (error: unknown) => unknown;
}

/** The bytes of an answer as they arrive. If the server announces too many, nothing is read. */
function readBody(url: URL, response: IncomingMessage, { limit, explain }: BodyReading): Readable {
  const host = url.hostname;
  const tooLarge = () => fetchErrors.create('OUTBOUND_TOO_LARGE', { host, limit });
  async function* bytes() {
    let size = 0;
    try {
      if (Number(response.headers['content-length'] ?? 0) > limit) throw tooLarge();
      for await (const part of response as AsyncIterable<Uint8Array>) {
        size += part.byteLength;
        if (size > limit) throw tooLarge();
        yield part;
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const shown =
        error instanceof TrellisError
          ? error
          : fetchErrors.create('OUTBOUND_FAILED', { host, reason }, error);
      throw explain(shown);
    } finally {
      response.destroy();
    }
  }
  const body = Readable.from(bytes(), { objectMode: false });
  // Destroying a body before it is read never enters the generator, so the response is closed here.
  body.on('close', () => response.destroy());
  return body;
}
