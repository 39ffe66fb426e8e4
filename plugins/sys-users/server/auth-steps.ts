import {
  AuditLogToken,
  RateLimiterToken,
  RouteAnswer,
  type Account,
  type AuditText,
  type PasswordHasher,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { JsonSchema } from '@trellis/sdk/shared';
import { authErrors } from './auth-errors.ts';
import type { AccessTokens } from './access-tokens.ts';
import { refreshCookie } from './refresh-cookie.ts';
import type { Device, OpenSession, Sessions } from './sessions.ts';
import type { Pictures } from './pictures.ts';
import type { SignInSteps } from './sign-in-steps.ts';
import type { Tickets } from './tickets.ts';
import type { VerifiedAddresses } from './verified-addresses.ts';

/** What sign-in and sign-up are sent. */
export interface Credentials {
  readonly email?: string;
  readonly password?: string;
  readonly firstname?: string | null;
  readonly lastname?: string | null;
  /** What the link of an invitation ends in. */
  readonly token?: string | null;
}

export const triesOfAccount = { limit: 10, windowSeconds: 15 * 60 };
export const triesOfAddress = { limit: 100, windowSeconds: 15 * 60 };

export const text = (maxLength: number): JsonSchema => ({ type: 'string', maxLength });
const name: JsonSchema = { type: ['string', 'null'], maxLength: 200 };
export const credentialsSchema: JsonSchema = {
  type: 'object',
  properties: {
    email: text(320),
    password: text(4096),
    firstname: name,
    lastname: name,
    token: { type: ['string', 'null'], maxLength: 100 },
    ignore_subscribe: {},
  },
};

/** The places under which published clients look for the same call. */
export function authPath(path: string) {
  return { path: `/api/v1/auth${path}`, aliases: [`/auth${path}`, `/api/v1/db/auth${path}`] };
}

export function deviceOf({ headers, ip }: Pick<RouteRequest, 'headers' | 'ip'>): Device {
  return { agent: headers['user-agent'], ip };
}

/** Asked once it is known that it is the person who signs in: nobody else learns of it. @throws TrellisError `ACCOUNT_DISABLED`. */
export function assertEnabled({ isDisabled }: Account): void {
  if (isDisabled) throw authErrors.create('ACCOUNT_DISABLED');
}

/** What the calls around accounts have in common. */
export interface AuthSteps {
  /** Counts a try, by the address that it comes from and the account that it is about. Throws 429. */
  limit(request: RouteRequest, call: string, email: string): Promise<void>;
  /** The answer of whoever is signed in now. */
  signedIn(account: Account, session: OpenSession): Promise<RouteAnswer>;
  record(
    account: Pick<Account, 'id' | 'email'>,
    request: RouteRequest,
    subType: string,
    description: AuditText,
  ): Promise<void>;
}

export interface AuthParts {
  readonly sessions: Sessions;
  readonly hasher: PasswordHasher;
  readonly steps: AuthSteps;
  readonly tickets: Tickets;
  readonly further: SignInSteps;
  readonly verified: VerifiedAddresses;
  readonly pictures: Pictures;
}

export function createAuthSteps(ctx: ServerPluginContext, tokens: AccessTokens): AuthSteps {
  const limiter = ctx.get(RateLimiterToken);
  const audit = ctx.get(AuditLogToken);
  return {
    async limit(request, call, email) {
      // An address without tries left takes none of an account's.
      await limiter.consumeEach([
        [{ name: `${call}.address`, ...triesOfAddress }, { address: request.ip }],
        [{ name: `${call}.account`, ...triesOfAccount }, { email }],
      ]);
    },
    async signedIn(account, session) {
      const token = await tokens.sign(account, session.id);
      return new RouteAnswer({
        // Tabs share the cookie: one that did not hear of another person's sign-in learns here whose token it holds.
        body: { token, accessToken: token, user_id: account.id },
        cookies: session.refreshToken === undefined ? [] : [refreshCookie(session.refreshToken)],
      });
    },
    record: (account, request, subType, description) =>
      audit.record({ type: 'AUTHENTICATION', subType, principal: account, ip: request.ip, description }),
  };
}
