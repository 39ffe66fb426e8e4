import { createHash } from 'node:crypto';
import {
  AccountStoreToken,
  auditText,
  defineRoute,
  RateLimiterToken,
  RouteAnswer,
  ServerInfoToken,
  SignInToken,
  type Account,
  type AuthIdentity,
  type RouteCookie,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import { authErrors } from './auth-errors.ts';
import { assertEnabled, deviceOf, type AuthParts } from './auth-steps.ts';
import type { InvitationStore } from './invitation-store.ts';
import { createOpenInvitations } from './open-invitation.ts';
import { outcomeCookie, readOutcome } from './provider-outcome.ts';
import { refreshCookie } from './refresh-cookie.ts';
import type { OpenSession } from './sessions.ts';
import type { SignUpSettings } from './sign-up-route.ts';

const path = '/api/v1/auth/providers';
const callbackPage = '/user/authentication/callback';
const memoryName = 'sign_in';
const tries = { limit: 100, windowSeconds: 15 * 60 };

/** The path at which programs of the v1 API complete a sign-in. */
const codePath = '/auth/:provider/genTokenByCode';

/**
 * Stored for ten minutes in the browser that began, for both return paths. `lax`, since the provider's page returns from another
 * site.
 */
function memoryCookies(value: string | undefined): readonly RouteCookie[] {
  return [path, '/auth'].map((place) => ({
    name: memoryName,
    value,
    path: place,
    httpOnly: true,
    sameSite: 'lax',
    maxAge: 600,
  }));
}

function found(location: string, cookies: readonly RouteCookie[]): RouteAnswer {
  return new RouteAnswer({ status: 302, headers: { location }, cookies });
}

/** Signs in with an account of a provider. */
export function providerRoutes(
  ctx: ServerPluginContext<SignUpSettings>,
  { sessions, verified, further, steps }: Pick<AuthParts, 'sessions' | 'verified' | 'further' | 'steps'>,
  invitations: InvitationStore,
): readonly RouteDefinition[] {
  const signIn = ctx.get(SignInToken);
  const info = ctx.get(ServerInfoToken);
  const accounts = ctx.get(AccountStoreToken);
  const limiter = ctx.get(RateLimiterToken);
  const opened = createOpenInvitations(ctx, invitations);

  /** Never from the request: the sender of a host header could choose where the answer goes. */
  function redirectUrl(provider: string): string {
    const isKnown = signIn.providers().some(({ id }) => id === provider);
    // An unknown provider is refused as such, whatever the operator has set.
    if (info.siteUrl === undefined && isKnown) throw authErrors.create('SITE_URL_MISSING');
    return `${info.siteUrl ?? ''}${path}/${encodeURIComponent(provider)}/callback`;
  }

  /**
   * The account that this identity signed in to before, one with the same address, or a new one. An account with an unverified
   * address is not used: somebody else may have created it and wait for the owner of the address.
   *
   * @throws TrellisError `ACCOUNT_ELSEWHERE`.
   */
  async function accountOf(request: RouteRequest, identity: AuthIdentity): Promise<Account> {
    try {
      return await foundOrMade(request, identity);
    } catch (error) {
      if (!isTaken(error)) throw error;
      // A person returned twice at the same time for the first time: the account of the other call is found now.
      return foundOrMade(request, identity);
    }
  }

  async function foundOrMade(request: RouteRequest, identity: AuthIdentity): Promise<Account> {
    const { provider = '' } = request.params;
    const { email, firstname, lastname } = identity;
    const subject = subjectOf(identity);
    const link = await ctx.db.read((unit) =>
      unit.first<{ account_id: string }>(
        unit.table('identity').where({ provider, subject }).select('account_id'),
      ),
    );
    const linked = link && (await accounts.byId(link.account_id));
    if (linked !== undefined) return linked;
    const row = (account: Account) => ({ provider, subject, account_id: account.id, linked_at: Date.now() });
    const existing = await accounts.byEmail(email);
    if (existing !== undefined) {
      if (!(await verified.has(existing.id))) throw authErrors.create('ACCOUNT_ELSEWHERE', { email });
      await ctx.db.write((unit) => unit.run(unit.table('identity').insert(row(existing))));
      return existing;
    }
    const isClosed = ctx.settings.current.inviteOnly && (await accounts.count()) > 0;
    const isInvited = await opened.isInvited(accounts.addressOf(email) ?? '');
    if (isClosed && !isInvited) throw authErrors.create('SIGN_UP_CLOSED');
    const made = await ctx.db.write(async (unit) => {
      const account = await accounts.create({ email, firstname, lastname, isInvited }, unit);
      await unit.run(unit.table('identity').insert(row(account)));
      await verified.add(account.id, unit);
      return account;
    });
    const of = { person: made.email, provider };
    await steps.record(made, request, 'SIGNUP', auditText('{{person}} signed up by {{provider}}', of));
    return made;
  }

  async function start(request: RouteRequest) {
    const { provider = '' } = request.params;
    await limiter.consume({ name: 'provider.address', ...tries }, { address: request.ip });
    const { url, memory } = await signIn.start(provider, redirectUrl(provider));
    return new RouteAnswer({ body: { url }, cookies: memoryCookies(memory) });
  }

  /** The browser arrives here from another site, so errors are shown on a page of ours. */
  async function callback(request: RouteRequest) {
    try {
      return await toPage(request);
    } catch (error) {
      if (!(error instanceof TrellisError) || info.siteUrl === undefined) throw error;
      return found(`${info.siteUrl}/#${callbackPage}`, [...memoryCookies(undefined), outcomeCookie(error)]);
    }
  }

  /** The person who returned from the provider. */
  async function returned(request: RouteRequest): Promise<Account> {
    const { provider = '' } = request.params;
    await limiter.consume({ name: 'provider.address', ...tries }, { address: request.ip });
    const query = Object.fromEntries(
      Object.entries(request.query).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    );
    const memory = request.cookies[memoryName];
    const identity = await signIn.complete(provider, { query, redirectUrl: redirectUrl(provider), memory });
    const account = await accountOf(request, identity);
    assertEnabled(account);
    return account;
  }

  async function open(request: RouteRequest, account: Account): Promise<OpenSession> {
    const session = await sessions.open(account.id, deviceOf(request));
    const of = { person: account.email, provider: request.params.provider ?? '' };
    await steps.record(account, request, 'SIGNIN', auditText('{{person}} signed in by {{provider}}', of));
    return session;
  }

  async function toPage(request: RouteRequest) {
    const account = await returned(request);
    const asked = await further.begin(account, { way: 'provider' });
    if (asked !== undefined)
      return found(`${info.siteUrl}/#${callbackPage}?step=1`, [...memoryCookies(undefined), asked.cookie]);
    const session = await open(request, account);
    // The page finds the session by its cookie.
    return found(`${info.siteUrl}/#${callbackPage}`, [
      ...memoryCookies(undefined),
      refreshCookie(session.refreshToken),
    ]);
  }

  /** The same for a program: the same cookie identifies the browser, and the answer contains the token. */
  async function toToken(request: RouteRequest) {
    const { provider = '' } = request.params;
    if (!signIn.providers().some(({ id }) => id === provider))
      throw authErrors.create('PROVIDER_UNKNOWN', { provider });
    const account = await returned(request);
    const asked = await further.begin(account, { way: 'provider' });
    if (asked !== undefined)
      return new RouteAnswer({
        body: { step: asked.step },
        cookies: [...memoryCookies(undefined), asked.cookie],
      });
    const { body, cookies } = await steps.signedIn(account, await open(request, account));
    return new RouteAnswer({ body, cookies: [...memoryCookies(undefined), ...cookies] });
  }

  return [
    defineRoute({
      method: 'GET',
      path,
      permission: 'public',
      summary: 'The other ways to sign in',
      handle: () => Promise.resolve({ list: signIn.providers() }),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/outcome`,
      permission: 'public',
      summary: 'Why signing in elsewhere did not work, for the browser that tried it',
      handle: (request) => Promise.resolve(readOutcome(request)),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/:provider/start`,
      permission: 'public',
      summary: 'Where the browser signs in elsewhere',
      handle: start,
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:provider/callback`,
      permission: 'public',
      summary: 'Where the browser comes back from signing in elsewhere',
      handle: callback,
    }),
    defineRoute({
      method: 'POST',
      path: codePath,
      permission: 'public',
      summary: 'Sign in by what another server gave, and get the token',
      handle: toToken,
    }),
  ];
}

/** Whether another call created the account, or its link, in the meantime. */
function isTaken(error: unknown): boolean {
  return error instanceof TrellisError && ['ACCOUNT_EXISTS', 'UNIQUE_VIOLATION'].includes(error.code);
}

/** The key of an identity. Two issuers may give the same subject to two people. */
function subjectOf({ issuer, subject }: AuthIdentity): string {
  if (issuer === undefined) return subject;
  return createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url');
}
