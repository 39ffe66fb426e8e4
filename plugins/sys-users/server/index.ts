import { AccountStoreToken, defineServerPlugin, LiveChannelToken, SecretsToken } from '@trellis/sdk/server';
import { AccessTokens } from './access-tokens.ts';
import { authRoutes } from './auth-routes.ts';
import { migrations } from './migrations.ts';
import { PasswordHasher } from './password-hash.ts';
import { providerRoutes } from './provider-routes.ts';
import { sessionResolver } from './session-resolver.ts';
import { Sessions } from './sessions.ts';
import { storageRoutes } from './storage-routes.ts';

export default defineServerPlugin({
  migrations,
  setup(ctx) {
    const live = ctx.get(LiveChannelToken);
    const sessions = new Sessions(ctx.db, {
      onDidEnd: ({ accountId, id }) => live.disconnect({ userId: accountId, credentialId: id }),
    });
    const tokens = new AccessTokens(ctx.get(SecretsToken).key('access-token'));
    const accounts = ctx.get(AccountStoreToken);

    ctx.register('permissions', {
      id: 'passwordChange',
      label: 'Change the own password',
      roles: ['user', 'user_new'],
      scope: 'account',
    });
    ctx.register('credentialResolvers', sessionResolver({ tokens, sessions, accounts }));
    ctx.register('jobs', { id: 'sweep-sessions', every: 3600, run: () => sessions.sweep() });
    ctx.routes(
      ...storageRoutes(ctx),
      ...authRoutes(ctx, { sessions, tokens, hasher: new PasswordHasher() }),
      ...providerRoutes(ctx, sessions),
    );
  },
});
