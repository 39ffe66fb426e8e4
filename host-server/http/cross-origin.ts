import type { IncomingHttpHeaders } from 'node:http';

const none: Readonly<Record<string, string>> = Object.freeze({});

/** Headers that let a page of an allowed origin read an answer. Only configured origins are allowed, never with credentials. */
export function crossOriginHeaders(
  { origin }: IncomingHttpHeaders,
  allowed: readonly string[],
): Readonly<Record<string, string>> {
  if (origin === undefined || allowed.length === 0) return none;
  return allowed.includes(origin)
    ? { vary: 'origin', 'access-control-allow-origin': origin }
    : { vary: 'origin' };
}

/** The answer to the preflight request of an allowed origin. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'content-type, xc-auth, xc-token, xc-shared-base-id, xc-password, xc-gui, xc-preview, authorization, idempotency-key',
  'access-control-max-age': '600',
};
