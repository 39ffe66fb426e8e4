import { later, type Container } from '@trellis/core';
import {
  AccessServiceToken,
  AccountAdministrationToken,
  AccountStoreToken,
  CredentialsToken,
  MembersToken,
  RateLimiterToken,
  SecretsToken,
  UserStorageToken,
  VisitorLimitToken,
} from '@trellis/sdk/server';
import { DatabaseToken } from '../databases/tokens.ts';
import { MetadataToken } from '../metadata/tokens.ts';
import { PluginServiceToken } from '../plugins/tokens.ts';
import { keptSecret } from '../runtime/config/kept-secret.ts';
import {
  ConfigToken,
  HooksToken,
  HostJobToken,
  PluginErrorsToken,
  registryToken,
} from '../runtime/tokens.ts';
import { AnnounceSchemaChangeToken } from '../schema/tokens.ts';
import { createAccountAdministration } from './accounts/account-administration.ts';
import { createAccountStore } from './accounts/account-store.ts';
import { createUserStorage } from './accounts/user-storage.ts';
import { createPrincipals } from './credentials/principals.ts';
import { createRateLimiter } from './limits/rate-limiter.ts';
import { BundledVisits } from './limits/visitor-limit.ts';
import { createMemberStore } from './members/member-store.ts';
import { ViewHeirs } from './members/view-heirs.ts';
import { createAccessService } from './rights/access-service.ts';
import { createSecrets } from './secrets/secrets.ts';
import { PluginUnitsToken, PrincipalsToken, ViewHeirsToken } from './tokens.ts';

/** Binds accounts, rights, limits and secrets. */
export function bindAccess(container: Container): void {
  container.bind(AccessServiceToken, {
    needs: {
      metadata: MetadataToken,
      heirs: ViewHeirsToken,
      permissions: registryToken('permissions'),
      scopeRules: registryToken('scopeRules'),
      filterHomes: registryToken('filterHomes'),
      errors: PluginErrorsToken,
      unitOf: PluginUnitsToken,
      secrets: SecretsToken,
      plugins: later(PluginServiceToken),
    },
    make: ({ plugins, ...needs }) => createAccessService({ ...needs, nameOf: (id) => plugins().nameOf(id) }),
    dispose: (access) => access.dispose(),
  });
  container.bind(PrincipalsToken, {
    needs: {
      credentials: registryToken('credentialResolvers'),
      errors: PluginErrorsToken,
      accounts: AccountStoreToken,
      plugins: later(PluginServiceToken),
    },
    make: ({ plugins, ...needs }) =>
      createPrincipals({ ...needs, plugins, nameOf: (id) => plugins().nameOf(id) }),
  });
  container.bind(CredentialsToken, {
    needs: { principals: PrincipalsToken },
    make: ({ principals }) => principals,
  });
  container.bind(AccountStoreToken, {
    needs: { metadata: MetadataToken, unitOf: PluginUnitsToken },
    make: createAccountStore,
  });
  container.bind(AccountAdministrationToken, {
    needs: { metadata: MetadataToken, heirs: ViewHeirsToken, hooks: HooksToken },
    make: createAccountAdministration,
  });
  container.bind(MembersToken, {
    needs: { metadata: MetadataToken, heirs: ViewHeirsToken, unitOf: PluginUnitsToken },
    make: createMemberStore,
  });
  container.bind(ViewHeirsToken, {
    needs: { metadata: MetadataToken, announce: later(AnnounceSchemaChangeToken) },
    make: ({ metadata, announce }) =>
      new ViewHeirs({
        metadata,
        // Without a request id: the page that ended the membership may be the heir's.
        didPassOn: (projectId) => announce()({ projectId, requestId: '' }),
      }),
  });
  container.contribute(HostJobToken, {
    needs: { heirs: ViewHeirsToken },
    make: ({ heirs }) => ({
      id: 'pass-on-views',
      every: 600,
      run: ({ signal }) => heirs.passOnLost(signal),
    }),
  });
  container.bind(UserStorageToken, {
    needs: { metadata: MetadataToken, unitOf: PluginUnitsToken },
    make: createUserStorage,
  });
  container.bind(RateLimiterToken, { needs: { database: DatabaseToken }, make: createRateLimiter });
  container.bind(VisitorLimitToken, {
    needs: { limiter: RateLimiterToken },
    make: ({ limiter }) => new BundledVisits(limiter),
  });
  container.bind(SecretsToken, {
    // Only a server with its metadata stores a secret: see `refuseEmptiedMetadata`.
    needs: { config: ConfigToken, metadata: MetadataToken },
    make: async ({ config }) => createSecrets(await keptSecret(config.dataDir, config.secret)),
  });
}
