import { AccountStoreToken, defineServerPlugin, type Permission } from '@trellis/sdk/server';
import { migrations } from './migrations.ts';
import { tokenResolver } from './token-resolver.ts';
import { tokenRoutes } from './token-routes.ts';
import { TokenStore } from './token-store.ts';

const permissions: readonly Permission[] = [
  { id: 'apiTokenList', label: 'See the API tokens of a project', roles: [], scope: 'project' },
  { id: 'apiTokenCreate', label: 'Make an API token for a project', roles: [], scope: 'project' },
  { id: 'apiTokenDelete', label: 'Delete an API token of a project', roles: [], scope: 'project' },
  { id: 'ownTokens', label: "Have API tokens of one's own", roles: ['user', 'user_new'], scope: 'account' },
];

export default defineServerPlugin({
  migrations,
  setup(ctx) {
    const tokens = new TokenStore(ctx.db);
    for (const permission of permissions) ctx.register('permissions', permission);
    ctx.register(
      'credentialResolvers',
      tokenResolver({ tokens, accounts: ctx.get(AccountStoreToken), logger: ctx.logger }),
    );
    ctx.tap('projects.didPurge', ({ projectId }) => tokens.deleteOfProject(projectId));
    ctx.tap('passwords.didReset', ({ accountId }) => tokens.deleteOfAccount(accountId));
    ctx.tap('accounts.didDelete', ({ accountId }) => tokens.deleteOfAccount(accountId));
    ctx.routes(...tokenRoutes(ctx, tokens));
  },
});
