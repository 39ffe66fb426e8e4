import { defineErrors, isExpected, type Registry } from '@trellis/core';
import type {
  AccountStore,
  CredentialRequest,
  CredentialResolver,
  Credentials,
  PluginAdministration,
  Principal,
} from '@trellis/sdk/server';
import type { PluginErrors } from '../../runtime/tokens.ts';
import { isOutage } from '../../sql/database-error.ts';

const credentialErrors = defineErrors({
  CREDENTIALS_NOT_CHECKED: {
    status: 503,
    message: 'Your sign-in could not be checked, because a part of the server fails. Please try again later.',
  },
  CREDENTIALS_UNCHECKED: {
    status: 503,
    message:
      'Whether an API token is still good could not be checked, because a part of the server is not ready.',
  },
});

const guest: Principal = { kind: 'guest', id: '', email: '', accountRoles: [] };

/** Finds out who asks, and whether those who asked once still may. */
export interface Principals extends Credentials {
  /**
   * Who a request comes from; a guest when it carries no credential, or that of an account that is disabled.
   *
   * @throws TrellisError what a resolver refuses with (401), and 503 `CREDENTIALS_NOT_CHECKED`.
   */
  of(request: CredentialRequest): Promise<Principal>;
}

export interface PrincipalsDependencies {
  readonly credentials: Registry<CredentialResolver>;
  readonly errors: PluginErrors;
  readonly accounts: Pick<AccountStore, 'byId'>;
  readonly plugins: () => Pick<PluginAdministration, 'list'>;
}

export function createPrincipals({
  credentials,
  errors,
  accounts,
  plugins,
}: PrincipalsDependencies): Principals {
  /**
   * An error of one resolver is its plugin's: the others are still asked, or a broken plugin would shut everybody out. A database
   * that is away is nobody's error, and must not take the resolver that reads it out of service.
   */
  function contain(resolver: CredentialResolver, error: unknown): void {
    if (isExpected(error) || isOutage(error)) throw error;
    errors.charge(credentials.subject(resolver.id), error);
  }

  /** Asked here and not by the resolvers, so that it holds for every credential that there will ever be. */
  async function isDisabled({ id }: Principal): Promise<boolean> {
    if (id === '') return false;
    const known = accounts.byId(id);
    const account = known instanceof Promise ? await known : known;
    return account?.isDisabled === true;
  }

  return {
    async of(request) {
      let isUnchecked = false;
      for (const resolver of credentials.list()) {
        let principal: Principal | undefined;
        try {
          const answer = resolver.resolve(request);
          principal = answer instanceof Promise ? await answer : answer;
        } catch (error) {
          contain(resolver, error);
          isUnchecked ||= (resolver.carries ?? carriesToken)(request);
        }
        if (principal !== undefined && !(await isDisabled(principal))) return principal;
      }
      // Whoever showed a credential is no guest: "sign in" would be the wrong answer, and a page would forget its session.
      if (isUnchecked) throw credentialErrors.create('CREDENTIALS_NOT_CHECKED');
      return guest;
    },
    async isGood(principal) {
      if (principal.resolver === undefined) return true;
      const { resolver: id } = principal;
      const resolver = credentials.get(id);
      if (resolver?.isGood === undefined) {
        // It may be out of service for a while, and its plugin one of those whose turn has not come.
        const isSuspended = resolver === undefined && credentials.ownerOf(id) !== undefined;
        if (isSuspended || isStarting(plugins())) throw credentialErrors.create('CREDENTIALS_UNCHECKED');
        return false;
      }
      try {
        return await resolver.isGood(principal);
      } catch (error) {
        contain(resolver, error);
        throw credentialErrors.create('CREDENTIALS_UNCHECKED', {}, error);
      }
    },
  };
}

/** The headers in which clients of the v1 API carry their tokens. */
function carriesToken({ headers }: CredentialRequest): boolean {
  return ['authorization', 'xc-auth', 'xc-token'].some((name) => (headers[name] ?? '') !== '');
}

function isStarting(plugins: Pick<PluginAdministration, 'list'>): boolean {
  return plugins.list().some(({ state }) => state === 'starting');
}
