import type { IncomingMessage } from 'node:http';

const hostForm = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * The origin under which the client reached this server, by its own statement: from `Host`, or as the `hops`-th trusted proxy,
 * counted from this server, saw it. Undefined if it states none. The client may state any origin, so it is only used in answers
 * to that client.
 */
export function requestOrigin(request: IncomingMessage, hops: number): string | undefined {
  const host = seen(request, 'x-forwarded-host', hops) ?? request.headers.host;
  const isEncrypted = 'encrypted' in request.socket || seen(request, 'x-forwarded-proto', hops) === 'https';
  if (host === undefined || !hostForm.test(host)) return undefined;
  const origin = `${isEncrypted ? 'https' : 'http'}://${host}`;
  return URL.canParse(origin) ? new URL(origin).origin : undefined;
}

/** The value from the trusted proxy. A proxy that does not set it passes on the value of another one, or of the client. */
function seen({ headers }: IncomingMessage, name: string, hops: number): string | undefined {
  if (hops === 0) return undefined;
  const header = headers[name];
  const values = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((part) => part.trim());
  return values.at(-hops) || values.at(-1) || undefined;
}
