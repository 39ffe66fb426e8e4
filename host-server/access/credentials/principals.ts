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
    message:
      "Your sign-in could not be checked, because the plugin '{plugin}' fails. Please try again later.",
  },
  CREDENTIALS_UNCHECKED: {
    status: 503,
    message:
      'Whether an API token is still good could not be checked, because a part of the server is not ready.',
  },
});

const guest: Principal = { kind: 'guest', id: '', email: '', accountRoles: [] };

/** Identifies the callers of requests, and checks whether earlier callers are still allowed. */
export interface Principals extends Credentials {
  /**
   * The caller of a request; a guest if it has no credential, or that of a disabled account.
   *
   * @throws TrellisError a resolver's refusal (401), or 503 `CREDENTIALS_NOT_CHECKED`.
   */
  of(request: CredentialRequest): Promise<Principal>;
}

export interface PrincipalsDependencies {
  readonly credentials: Registry<CredentialResolver>;
  readonly errors: PluginErrors;
  readonly accounts: Pick<AccountStore, 'byId'>;
  readonly plugins: () => Pick<PluginAdministration, 'list'>;
  readonly nameOf: (pluginId: string) => string;
}

export function createPrincipals({
  credentials,
  errors,
  accounts,
  plugins,
  nameOf,
}: PrincipalsDependencies): Principals {
  /**
   * An error of one resolver is charged to its plugin: the others are still asked, or a broken plugin would lock everybody out. A
   * database outage is charged to nobody, and must not suspend the resolver that reads the database.
   */
  function contain(resolver: CredentialResolver, error: unknown): void {
    if (isExpected(error) || isOutage(error)) throw error;
    errors.charge(credentials.subject(resolver.id), error);
  }

  /** Checked here and not by the resolvers, so that it applies to every kind of credential. */
  async function isDisabled({ id }: Principal): Promise<boolean> {
    if (id === '') return false;
    const known = accounts.byId(id);
    const account = known instanceof Promise ? await known : known;
    return account?.isDisabled === true;
  }

  return {
    async of(request) {
      let unchecked: string | undefined;
      for (const resolver of credentials.list()) {
        let principal: Principal | undefined;
        try {
          const answer = resolver.resolve(request);
          principal = answer instanceof Promise ? await answer : answer;
        } catch (error) {
          contain(resolver, error);
          if ((resolver.carries ?? carriesToken)(request)) unchecked ??= credentials.ownerOf(resolver.id);
        }
        if (principal !== undefined && !(await isDisabled(principal))) return principal;
      }
      // A caller with a credential is no guest: "sign in" would be the wrong answer, and a page would drop its session.
      if (unchecked !== undefined)
        throw credentialErrors.create('CREDENTIALS_NOT_CHECKED', { plugin: nameOf(unchecked) });
      return guest;
    },
    async isGood(principal) {
      if (principal.resolver === undefined) return true;
      const { resolver: id } = principal;
      const resolver = credentials.get(id);
      if (resolver?.isGood === undefined) {
        // The resolver may be suspended for a while, or its plugin may not have started yet.
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

/** The headers in which clients of the v1 API send their tokens. */
function carriesToken({ headers }: CredentialRequest): boolean {
  return ['authorization', 'xc-auth', 'xc-token'].some((name) => (headers[name] ?? '') !== '');
}

function isStarting(plugins: Pick<PluginAdministration, 'list'>): boolean {
  return plugins.list().some(({ state }) => state === 'starting');
}
