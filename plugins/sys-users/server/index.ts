import {
  AccountStoreToken,
  defineServerPlugin,
  InvitationsToken,
  LiveChannelToken,
  SecretsToken,
} from '@trellis/sdk/server';
import { AccessTokens } from './access-tokens.ts';
import { authRoutes } from './auth-routes.ts';
import { createAuthSteps } from './auth-steps.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { InvitationStore } from './invitation-store.ts';
import { createInvitations } from './invitations.ts';
import { migrations } from './migrations.ts';
import { PasswordHasher } from './password-hash.ts';
import { permissions } from './permissions.ts';
import { providerRoutes } from './provider-routes.ts';
import { sessionResolver } from './session-resolver.ts';
import { Sessions } from './sessions.ts';
import { signUpRoute } from './sign-up-route.ts';
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
    const invitations = new InvitationStore(ctx.db);
    const parts = { sessions, hasher: new PasswordHasher(), steps: createAuthSteps(ctx, tokens) };

    for (const permission of permissions) ctx.register('permissions', permission);
    ctx.register('credentialResolvers', sessionResolver({ tokens, sessions, accounts }));
    ctx.register('jobs', { id: 'sweep-sessions', every: 3600, run: () => sessions.sweep() });
    ctx.provide(InvitationsToken, () => createInvitations(ctx, invitations));
    ctx.tap('projects.didPurge', ({ projectId }) => invitations.forgetProject(projectId));
    ctx.routes(
      ...storageRoutes(ctx),
      signUpRoute(ctx, parts, invitations),
      ...authRoutes(ctx, parts),
      ...invitationRoutes(ctx, invitations),
      ...providerRoutes(ctx, sessions, invitations),
    );
  },
});
