import type { Account, AccountStore, CredentialResolver, Logger, Principal } from '@trellis/sdk/server';
import type { StoredToken, TokenStore } from './token-store.ts';

const resolverId = 'api-token';

/**
 * Resolves `xc-token: <token>` or `Authorization: Bearer <token>` to the owner with the token's limits. The owner's rights are
 * checked with each request, so a token never has more.
 */
export function tokenResolver(deps: {
  readonly tokens: TokenStore;
  readonly accounts: Pick<AccountStore, 'byId'>;
  readonly logger: Pick<Logger, 'warn'>;
}): CredentialResolver {
  /** The same object while token and account stay the same, because data about a caller is cached by this object. */
  const principals = new WeakMap<Account, Map<string, Principal>>();

  function principalOf(token: StoredToken, account: Account): Principal {
    const key = `${token.id} ${token.role} ${token.projectId ?? ''}`;
    const ofAccount = principals.get(account) ?? new Map<string, Principal>();
    principals.set(account, ofAccount);
    const principal = ofAccount.get(key) ?? {
      kind: 'token',
      id: account.id,
      email: account.email,
      accountRoles: account.roles,
      credentialId: token.id,
      resolver: resolverId,
      maximumRole: token.role,
      ...(token.projectId !== undefined && { onlyProjects: [token.projectId] }),
    };
    ofAccount.set(key, principal);
    return principal;
  }

  return {
    id: resolverId,
    // After sessions: a request with both belongs to the signed-in person.
    order: 110,
    async resolve({ headers }) {
      const text = headers['xc-token'] ?? /^Bearer\s+(tr_\S+)$/i.exec(headers.authorization ?? '')?.[1];
      const token = text === undefined ? undefined : await deps.tokens.use(text);
      const account = token && (await deps.accounts.byId(token.accountId));
      if (token === undefined || account === undefined) return undefined;
      deps.tokens
        .noteUse(token)
        .catch((error: unknown) => deps.logger.warn('The use of a token could not be noted', { error }));
      return principalOf(token, account);
    },
    isGood: ({ credentialId = '', id }) => deps.tokens.isGood(credentialId, id),
  };
}
