import type { Account, AccountStore, CredentialResolver, Principal } from '@trellis/sdk/server';
import type { AccessClaims, AccessTokens } from './access-tokens.ts';
import type { Sessions } from './sessions.ts';

/** A token with a verified signature. */
interface KnownToken {
  readonly claims: AccessClaims;
  /** When the verification expires. */
  readonly until: number;
  /** The caller at its last use. */
  last: { readonly account: Account; readonly principal: Principal } | undefined;
}

/** Resolves `xc-auth: <token>` or `Authorization: Bearer <token>` to the signed-in user. */
export function sessionResolver(deps: {
  readonly tokens: AccessTokens;
  readonly sessions: Sessions;
  readonly accounts: AccountStore;
}): CredentialResolver {
  const read = new Map<string, KnownToken>();

  /** Verifying a signature costs more than the rest of a small request, so the result is valid for a minute. */
  function tokenOf(text: string): KnownToken | Promise<KnownToken | undefined> {
    const known = read.get(text);
    return known !== undefined && known.until > Date.now() ? known : check(text);
  }

  async function check(text: string): Promise<KnownToken | undefined> {
    const claims = await deps.tokens.read(text);
    if (claims === undefined) return undefined;
    if (read.size > 5000) read.clear();
    const token = { claims, until: Math.min(Date.now() + 60_000, claims.expiresAt), last: undefined };
    read.set(text, token);
    return token;
  }

  /** The same object as long as the account is unchanged, since facts about a caller are cached by it. */
  function principalOf(token: KnownToken, account: Account): Principal {
    if (token.last?.account !== account) {
      const { id, email, roles } = account;
      const { sessionId: credentialId } = token.claims;
      const principal = Object.freeze({
        kind: 'user',
        id,
        email,
        accountRoles: roles,
        credentialId,
      } as const);
      token.last = { account, principal };
    }
    return token.last.principal;
  }

  async function checked(coming: Promise<KnownToken | undefined>): Promise<Principal | undefined> {
    const token = await coming;
    return token && principalIf(token, deps.sessions.isAlive(token.claims.sessionId));
  }

  async function principalIf(
    token: KnownToken,
    isAlive: boolean | Promise<boolean>,
  ): Promise<Principal | undefined> {
    return (await isAlive) ? principalOnce(token, deps.accounts.byId(token.claims.accountId)) : undefined;
  }

  async function principalOnce(
    token: KnownToken,
    coming: Account | undefined | Promise<Account | undefined>,
  ): Promise<Principal | undefined> {
    const account = await coming;
    return account && principalOf(token, account);
  }

  return {
    id: 'session',
    order: 100,
    /** Synchronous if token, session and account are cached, as in nearly all calls. */
    resolve({ headers }) {
      const text = headers['xc-auth'] ?? /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
      if (text === undefined || text === '') return undefined;
      const token = tokenOf(text);
      if (token instanceof Promise) return checked(token);
      // Awaited at once: a rejected promise that nobody awaits would end the server.
      const isAlive = deps.sessions.isAlive(token.claims.sessionId);
      if (isAlive === false) return undefined;
      if (isAlive !== true) return principalIf(token, isAlive);
      const account = deps.accounts.byId(token.claims.accountId);
      if (account instanceof Promise) return principalOnce(token, account);
      return account && principalOf(token, account);
    },
  };
}
