import type { RouteCookie, RouteRequest } from '@trellis/sdk/server';

export function parseCookies(header: string | undefined): RouteRequest['cookies'] {
  const cookies: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0) cookies[part.slice(0, at).trim()] = part.slice(at + 1).trim();
  }
  return cookies;
}

/** A `set-cookie` header. */
export function writeCookie(cookie: RouteCookie, secure: boolean): string {
  const isForFrames = cookie.sameSite === 'none' && secure;
  const parts = [
    `${cookie.name}=${cookie.value ?? ''}`,
    `Path=${cookie.path}`,
    `SameSite=${isForFrames ? 'None' : cookie.sameSite === 'strict' ? 'Strict' : 'Lax'}`,
  ];
  if (cookie.httpOnly) parts.push('HttpOnly');
  if (secure) parts.push('Secure');
  if (isForFrames) parts.push('Partitioned');
  if (cookie.value === undefined) parts.push('Max-Age=0');
  else if (cookie.maxAge !== undefined) parts.push(`Max-Age=${cookie.maxAge}`);
  return parts.join('; ');
}
