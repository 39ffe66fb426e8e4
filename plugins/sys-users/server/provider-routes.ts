import {
  AccountStoreToken,
  AuditLogToken,
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
import { authErrors } from './auth-errors.ts';
import { assertEnabled, deviceOf, type AuthParts } from './auth-steps.ts';
import type { InvitationStore } from './invitation-store.ts';
import { refreshCookie } from './refresh-cookie.ts';

const path = '/api/v1/auth/providers';
const memoryName = 'sign_in';
const tries = { limit: 100, windowSeconds: 15 * 60 };

/** Kept for ten minutes by the browser that began. `lax`, since the provider's page leads back from another site. */
function memoryCookie(value: string | undefined): RouteCookie {
  return { name: memoryName, value, path, httpOnly: true, sameSite: 'lax', maxAge: 600 };
}

function found(location: string, cookies: readonly RouteCookie[]): RouteAnswer {
  return new RouteAnswer({ status: 302, headers: { location }, cookies });
}

/** Signing in with an account elsewhere. */
export function providerRoutes(
  ctx: ServerPluginContext,
  { sessions, verified }: Pick<AuthParts, 'sessions' | 'verified'>,
  invitations: InvitationStore,
): readonly RouteDefinition[] {
  const signIn = ctx.get(SignInToken);
  const info = ctx.get(ServerInfoToken);
  const accounts = ctx.get(AccountStoreToken);
  const audit = ctx.get(AuditLogToken);
  const limiter = ctx.get(RateLimiterToken);

  /** Never from the request: whoever chooses the host chooses where the answer goes. */
  function redirectUrl(provider: string): string {
    const isKnown = signIn.providers().some(({ id }) => id === provider);
    // One that nobody offers is refused as such, whatever the operator has set.
    if (info.siteUrl === undefined && isKnown) throw authErrors.create('SITE_URL_MISSING');
    return `${info.siteUrl ?? ''}${path}/${encodeURIComponent(provider)}/callback`;
  }

  /**
   * The account that this identity signed in to before, or a new one. An address whose account has a password is nobody's to
   * take: its owner may be somebody else who never proved the address either.
   *
   * @throws TrellisError `ACCOUNT_ELSEWHERE`.
   */
  async function accountOf(provider: string, identity: AuthIdentity): Promise<Account> {
    const { subject, email, firstname, lastname } = identity;
    const link = await ctx.db.read((unit) =>
      unit.first<{ account_id: string }>(
        unit.table('identity').where({ provider, subject }).select('account_id'),
      ),
    );
    const linked = link && (await accounts.byId(link.account_id));
    if (linked !== undefined) return linked;
    if ((await accounts.byEmail(email)) !== undefined)
      throw authErrors.create('ACCOUNT_ELSEWHERE', { email });
    const isClosed = ctx.settings.current['inviteOnly'] === true && (await accounts.count()) > 0;
    const isInvited = await invitations.hasFor(accounts.addressOf(email) ?? '');
    if (isClosed && !isInvited) throw authErrors.create('SIGN_UP_CLOSED');
    return ctx.db.write(async (unit) => {
      const account = await accounts.create({ email, firstname, lastname, isInvited }, unit);
      const row = { provider, subject, account_id: account.id, linked_at: Date.now() };
      await unit.run(unit.table('identity').insert(row));
      await verified.add(account.id, unit);
      return account;
    });
  }

  async function start(request: RouteRequest) {
    const { provider = '' } = request.params;
    await limiter.consume({ name: 'provider.address', ...tries }, { address: request.ip });
    const { url, memory } = await signIn.start(provider, redirectUrl(provider));
    return found(url, [memoryCookie(memory)]);
  }

  async function callback(request: RouteRequest) {
    const { provider = '' } = request.params;
    await limiter.consume({ name: 'provider.address', ...tries }, { address: request.ip });
    const query = Object.fromEntries(
      Object.entries(request.query).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    );
    const memory = request.cookies[memoryName];
    const identity = await signIn.complete(provider, { query, redirectUrl: redirectUrl(provider), memory });
    const account = await accountOf(provider, identity);
    assertEnabled(account);
    const session = await sessions.open(account.id, deviceOf(request));
    await audit.record({
      type: 'AUTHENTICATION',
      subType: 'SIGNIN',
      principal: account,
      ip: request.ip,
      description: `${account.email} signed in by ${provider}`,
    });
    // The page finds the session by its cookie.
    return found(`${info.siteUrl}/`, [memoryCookie(undefined), refreshCookie(session.refreshToken)]);
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
      path: `${path}/:provider/start`,
      permission: 'public',
      summary: 'Send the browser to sign in elsewhere',
      handle: start,
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:provider/callback`,
      permission: 'public',
      summary: 'Where the browser comes back from signing in elsewhere',
      handle: callback,
    }),
  ];
}
