import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { addressRange, type RouteCookie, type RouteRequest, type Secrets } from '@trellis/sdk/server';
import { sitesOf } from './framing.ts';
import type { Visit } from './visits.ts';

/** As long as a key must be under which strangers send again. */
const shortestKey = 32;

/** Who sends, and what their browser is to keep so that they are known again. */
export interface KnownSender {
  readonly person: string;
  /** Whom their browser was known as while nobody was signed in; undefined for strangers themselves. */
  readonly stranger?: string;
  readonly cookies: readonly RouteCookie[];
  /** Whether the cookies are the same for each try under the key of the request. */
  readonly isAgain: boolean;
}

type SendersView = Pick<Visit, 'type' | 'view' | 'link'>;
type SentBy = Pick<RouteRequest, 'principal' | 'cookies' | 'headers'>;

/** Who sends rows by links. */
export interface Senders {
  /**
   * Of one who sends again under a key the same as the first time, when their browser may not have heard the answer; undefined for a view
   * that wants to know nobody.
   */
  recognise(visit: SendersView, request: SentBy): KnownSender | undefined;
}

const name = 'trellis_sender';
/** Seconds. */
const oneYear = 31_536_000;

/** The account that a request comes from, by its session or by a token: it is known by it, and has none of its rights here. */
function accountOf({ principal: { kind, id } }: Pick<RouteRequest, 'principal'>): string | undefined {
  return kind === 'user' || kind === 'token' ? `account:${id}` : undefined;
}

/** What the limits of whoever sends are counted by: members behind one address do not use up each other's. */
export function countedBy(request: Pick<RouteRequest, 'principal' | 'ip'>): string {
  return accountOf(request) ?? addressRange(request.ip);
}

/** Knows who sends rows by links again: by their accounts, and strangers by a cookie that only this server can make. */
export function createSenders(secrets: Secrets): Senders {
  const key = secrets.key('shared-views.senders');
  const sign = (id: string) => createHmac('sha256', key).update(id).digest('base64url');

  function idIn(cookie: string | undefined): string | undefined {
    const [id = '', signature = ''] = cookie?.split('.') ?? [];
    const [given, made] = [Buffer.from(signature), Buffer.from(sign(id))];
    return given.length === made.length && timingSafeEqual(given, made) ? id : undefined;
  }

  return {
    recognise(
      { type, view, link }: SendersView,
      { principal, cookies, headers }: SentBy,
    ): KnownSender | undefined {
      if (type.sharing?.knowsSenders?.(view.meta ?? {}) !== true) return undefined;
      const account = accountOf({ principal });
      const id = idIn(cookies[name]);
      const known = id && `browser:${id}`;
      if (account !== undefined)
        return { person: account, ...(known && { stranger: known }), cookies: [], isAgain: false };
      if (known) return { person: known, cookies: [], isAgain: false };
      const sent = headers['idempotency-key'] ?? '';
      const isAgain = sent.length >= shortestKey;
      const newId = isAgain ? sign(`key:${sent}`) : randomUUID();
      const cookie = {
        name,
        value: `${newId}.${sign(newId)}`,
        path: '/api/v1/db/public/shared-view',
        httpOnly: true,
        sameSite: sitesOf(link).length > 0 ? 'none' : 'lax',
        maxAge: oneYear,
      } as const;
      return { person: `browser:${newId}`, cookies: [cookie], isAgain };
    },
  };
}
