import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { addressRange, type RouteCookie, type RouteRequest, type Secrets } from '@trellis/sdk/server';
import { sitesOf } from './framing.ts';
import type { Visit } from './visits.ts';

/** The shortest valid key for repeated requests of visitors. */
const shortestKey = 32;

/** A sender, and the cookies by which their browser is recognised. */
export interface KnownSender {
  readonly person: string;
  /** The visitor as whom their browser was known before signing in; undefined for visitors themselves. */
  readonly stranger?: string;
  readonly cookies: readonly RouteCookie[];
  /** Whether the cookies are the same for each try with the request's key. */
  readonly isAgain: boolean;
}

type SendersView = Pick<Visit, 'type' | 'view' | 'link'>;
type SentBy = Pick<RouteRequest, 'principal' | 'cookies' | 'headers'>;

/** Identifies senders of rows by links. */
export interface Senders {
  /**
   * For a repeated key the same as the first time, since the browser may not have received the answer; undefined for a view that
   * does not identify senders.
   */
  recognise(visit: SendersView, request: SentBy): KnownSender | undefined;
}

const name = 'trellis_sender';
/** Seconds. */
const oneYear = 31_536_000;

/** The account of a request, by its session or a token: it identifies the sender, but its rights do not apply here. */
function accountOf({ principal: { kind, id } }: Pick<RouteRequest, 'principal'>): string | undefined {
  return kind === 'user' || kind === 'token' ? `account:${id}` : undefined;
}

/** The key of the limits for a sender: members behind one address do not use up each other's. */
export function countedBy(request: Pick<RouteRequest, 'principal' | 'ip'>): string {
  return accountOf(request) ?? addressRange(request.ip);
}

/** Recognises senders of rows by links: by their accounts, and visitors by a cookie that only this server can sign. */
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
