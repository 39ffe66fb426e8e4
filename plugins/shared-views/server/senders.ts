import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { RouteCookie, RouteRequest, Secrets } from '@trellis/sdk/server';

/** Who sends, and what their browser is to keep so that they are known again. */
export interface KnownSender {
  readonly person: string;
  readonly cookies: readonly RouteCookie[];
}

const name = 'trellis_sender';
/** Seconds. */
const oneYear = 31_536_000;

/** Knows who sends rows by links again: by their accounts, and strangers by a cookie that only this server can make. */
export function createSenders(secrets: Secrets) {
  const key = secrets.key('shared-views.senders');
  const sign = (id: string) => createHmac('sha256', key).update(id).digest('base64url');

  function idIn(cookie: string | undefined): string | undefined {
    const [id = '', signature = ''] = cookie?.split('.') ?? [];
    const [given, made] = [Buffer.from(signature), Buffer.from(sign(id))];
    return given.length === made.length && timingSafeEqual(given, made) ? id : undefined;
  }

  return {
    recognise({ principal, cookies }: Pick<RouteRequest, 'principal' | 'cookies'>): KnownSender {
      if (principal.kind === 'user') return { person: `account:${principal.id}`, cookies: [] };
      const known = idIn(cookies[name]);
      if (known !== undefined) return { person: `browser:${known}`, cookies: [] };
      const id = randomUUID();
      const cookie = {
        name,
        value: `${id}.${sign(id)}`,
        path: '/api/v1/db/public/shared-view',
        httpOnly: true,
        sameSite: 'lax',
        maxAge: oneYear,
      } as const;
      return { person: `browser:${id}`, cookies: [cookie] };
    },
  };
}
