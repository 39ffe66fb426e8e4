import type { RouteCookie } from '@trellis/sdk/server';

/** The cookie that continues a browser's session; undefined deletes it. */
export function refreshCookie(token: string | undefined): RouteCookie {
  return {
    name: 'refresh_token',
    value: token,
    path: '/api/v1/auth',
    httpOnly: true,
    sameSite: 'strict',
    maxAge: 7 * 24 * 60 * 60,
  };
}
