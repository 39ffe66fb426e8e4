import type { Account, AccountStore, CredentialResolver, Principal } from '@trellis/sdk/server';
import type { AccessClaims, AccessTokens } from './access-tokens.ts';
import type { Sessions } from './sessions.ts';

/** A token whose signature was checked. */
interface KnownToken {
  readonly claims: AccessClaims;
  /** Until when the check counts. */
  readonly until: number;
  /** Whom it stood for when it was shown last. */
  last: { readonly account: Account; readonly principal: Principal } | undefined;
}

/** `xc-auth: <token>` or `Authorization: Bearer <token>` to the signed-in user. */
export function sessionResolver(deps: {
  readonly tokens: AccessTokens;
  readonly sessions: Sessions;
  readonly accounts: AccountStore;
}): CredentialResolver {
  const read = new Map<string, KnownToken>();

  /** Checking a signature costs more than the rest of a small request; a token that was good stays so for a minute. */
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

  /** The same object for as long as the account stays as it is, so that what is known of a caller is found by it. */
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

  async function resolveLater(
    checked: KnownToken | Promise<KnownToken | undefined>,
  ): Promise<Principal | undefined> {
    const token = await checked;
    if (token === undefined || !(await deps.sessions.isAlive(token.claims.sessionId))) return undefined;
    const account = await deps.accounts.byId(token.claims.accountId);
    return account && principalOf(token, account);
  }

  return {
    id: 'session',
    order: 100,
    /** At once where token, session and account are known, as they are for all calls but few. */
    resolve({ headers }) {
      const text = headers['xc-auth'] ?? /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
      if (text === undefined || text === '') return undefined;
      const token = tokenOf(text);
      if (token instanceof Promise) return resolveLater(token);
      const isAlive = deps.sessions.isAlive(token.claims.sessionId);
      if (isAlive === false) return undefined;
      const account = deps.accounts.byId(token.claims.accountId);
      if (isAlive !== true || account instanceof Promise) return resolveLater(token);
      return account && principalOf(token, account);
    },
  };
}
