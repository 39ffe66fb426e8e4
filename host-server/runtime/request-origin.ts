import type { IncomingMessage } from 'node:http';

const hostForm = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * The origin under which the client says that it reached this server: by `Host`, or by what the `hops`-th trusted proxy from our side
 * saw. Undefined where it names none. It may be any, so it is told to that client alone.
 */
export function requestOrigin(request: IncomingMessage, hops: number): string | undefined {
  const host = seen(request, 'x-forwarded-host', hops) ?? request.headers.host;
  const isEncrypted = 'encrypted' in request.socket || seen(request, 'x-forwarded-proto', hops) === 'https';
  if (host === undefined || !hostForm.test(host)) return undefined;
  const origin = `${isEncrypted ? 'https' : 'http'}://${host}`;
  return URL.canParse(origin) ? new URL(origin).origin : undefined;
}

/** What the trusted proxy says. One that says nothing of itself passes on what another one said, or the client. */
function seen({ headers }: IncomingMessage, name: string, hops: number): string | undefined {
  if (hops === 0) return undefined;
  const header = headers[name];
  const values = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((part) => part.trim());
  return values.at(-hops) || values.at(-1) || undefined;
}
