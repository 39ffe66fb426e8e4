import type { AccountStore, CredentialResolver, Principal } from '@trellis/sdk/server';
import type { AccessClaims, AccessTokens } from './access-tokens.ts';
import type { Sessions } from './sessions.ts';

/** `xc-auth: <token>` or `Authorization: Bearer <token>` to the signed-in user. */
export function sessionResolver(deps: {
  readonly tokens: AccessTokens;
  readonly sessions: Sessions;
  readonly accounts: AccountStore;
}): CredentialResolver {
  const read = new Map<string, AccessClaims & { readonly until: number }>();

  /** Checking a signature costs more than the rest of a small request; a token that was good stays so for a minute. */
  async function claimsOf(token: string) {
    const known = read.get(token);
    if (known !== undefined && known.until > Date.now()) return known;
    const claims = await deps.tokens.read(token);
    if (claims === undefined) return undefined;
    if (read.size > 5000) read.clear();
    read.set(token, { ...claims, until: Math.min(Date.now() + 60_000, claims.expiresAt) });
    return claims;
  }

  return {
    id: 'session',
    order: 100,
    async resolve({ headers }): Promise<Principal | undefined> {
      const token = headers['xc-auth'] ?? /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
      if (token === undefined || token === '') return undefined;
      const claims = await claimsOf(token);
      if (claims === undefined || !(await deps.sessions.isAlive(claims.sessionId))) return undefined;
      const account = await deps.accounts.byId(claims.accountId);
      return (
        account && {
          kind: 'user',
          id: account.id,
          email: account.email,
          accountRoles: account.roles,
          credentialId: claims.sessionId,
        }
      );
    },
  };
}
