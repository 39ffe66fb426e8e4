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

/** The body of sign-in and sign-up. */
export interface Credentials {
  readonly email?: string;
  readonly password?: string;
  readonly firstname?: string | null;
  readonly lastname?: string | null;
  /** The end of an invitation's link. */
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

/** The paths at which published clients expect the same call. */
export function authPath(path: string) {
  return { path: `/api/v1/auth${path}`, aliases: [`/auth${path}`, `/api/v1/db/auth${path}`] };
}

export function deviceOf({ headers, ip }: Pick<RouteRequest, 'headers' | 'ip'>): Device {
  return { agent: headers['user-agent'], ip };
}

/**
 * Called only after the person has proved who they are, so that nobody else learns of it. @throws TrellisError `ACCOUNT_DISABLED`.
 */
export function assertEnabled({ isDisabled }: Account): void {
  if (isDisabled) throw authErrors.create('ACCOUNT_DISABLED');
}

/** Common steps of the account calls. */
export interface AuthSteps {
  /** Counts a try by its IP address and its account. Throws 429. */
  limit(request: RouteRequest, call: string, email: string): Promise<void>;
  /** The answer for a person who is now signed in. */
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
      // An address without remaining tries uses up none of an account's.
      await limiter.consumeEach([
        [{ name: `${call}.address`, ...triesOfAddress }, { address: request.ip }],
        [{ name: `${call}.account`, ...triesOfAccount }, { email }],
      ]);
    },
    async signedIn(account, session) {
      const token = await tokens.sign(account, session.id);
      return new RouteAnswer({
        // Tabs share the cookie: a tab that missed another person's sign-in learns here whose token it has.
        body: { token, accessToken: token, user_id: account.id },
        cookies: session.refreshToken === undefined ? [] : [refreshCookie(session.refreshToken)],
      });
    },
    record: (account, request, subType, description) =>
      audit.record({ type: 'AUTHENTICATION', subType, principal: account, ip: request.ip, description }),
  };
}
