import {
  FilesToken,
  KeptPictures,
  ProfilePicturesToken,
  AccountStoreToken,
  defineServerPlugin,
  InvitationsToken,
  LiveChannelToken,
  PasswordCostToken,
  PasswordHasherToken,
  SecretsToken,
} from '@trellis/sdk/server';
import type { DidSpec } from '@trellis/sdk/shared';
import { AccessTokens } from './access-tokens.ts';
import { accountRoutes } from './account-routes.ts';
import { authRoutes } from './auth-routes.ts';
import { createAuthSteps, type AuthParts } from './auth-steps.ts';
import { emailRoutes, verificationLetters } from './email-routes.ts';
import { followAccounts } from './follow-accounts.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { InvitationStore } from './invitation-store.ts';
import { createInvitations } from './invitations.ts';
import { keepWayIn } from './keep-way-in.ts';
import { migrations } from './migrations.ts';
import { ScryptHasher } from './password-hash.ts';
import { permissions } from './permissions.ts';
import { passwordRoutes } from './password-routes.ts';
import { providerRoutes } from './provider-routes.ts';
import { sessionResolver } from './session-resolver.ts';
import { SignInSteps } from './sign-in-steps.ts';
import { stepRoutes } from './step-routes.ts';
import { Sessions } from './sessions.ts';
import { serverInvitationRoutes } from './server-invitation-routes.ts';
import { pictureRoutes } from './picture-routes.ts';
import { Pictures } from './pictures.ts';
import { signUpRoutes, type SignUpSettings } from './sign-up-route.ts';
import { storageRoutes } from './storage-routes.ts';
import { Tickets } from './tickets.ts';
import { userRoutes } from './user-routes.ts';
import { VerifiedAddresses } from './verified-addresses.ts';

declare module '@trellis/sdk/server' {
  interface ServerHooks {
    /**
     * Called after somebody set a new password by a link. A person who knew the former one may have created other credentials,
     * which are removed.
     */
    'passwords.didReset': DidSpec<{ readonly accountId: string }>;
  }
}

export default defineServerPlugin<SignUpSettings>({
  migrations,
  setup(ctx) {
    const live = ctx.get(LiveChannelToken);
    const sessions = new Sessions(ctx.db, {
      onDidEnd: ({ accountId, id }) => live.disconnect({ userId: accountId, credentialId: id }),
    });
    const tokens = new AccessTokens(ctx.get(SecretsToken).key('access-token'));
    const accounts = ctx.get(AccountStoreToken);
    const invitations = new InvitationStore(ctx.db);
    const hasher = new ScryptHasher(ctx.get(PasswordCostToken));
    ctx.provide(PasswordHasherToken, () => hasher);
    const tickets = new Tickets(ctx.db);
    const kept = new KeptPictures({ db: ctx.db, files: ctx.get(FilesToken), table: 'picture' });
    const pictures = new Pictures(ctx.db, kept);
    ctx.register('fileHolders', kept.holder('sys-users.pictures'));
    ctx.provide(ProfilePicturesToken, () => pictures);
    const parts: AuthParts = {
      sessions,
      hasher,
      steps: createAuthSteps(ctx, tokens),
      tickets,
      pictures,
      further: new SignInSteps(ctx.registry('signInSteps'), tickets),
      verified: new VerifiedAddresses(ctx.db),
    };
    const verification = verificationLetters(ctx, parts);

    for (const permission of permissions) ctx.register('permissions', permission);
    ctx.register('credentialResolvers', sessionResolver({ tokens, sessions, accounts }));
    ctx.register('jobs', { id: 'sweep-sessions', every: 3600, run: () => sweep(parts) });
    ctx.provide(InvitationsToken, () => createInvitations(ctx, invitations));
    ctx.hooks.define('passwords.didReset', {
      kind: 'did',
      policy: 'contain',
      description: 'After somebody set a new password by a link.',
    });
    followAccounts(ctx, parts);
    keepWayIn(ctx);
    ctx.tap('projects.didPurge', ({ projectId }) => invitations.forgetProject(projectId));
    ctx.routes(
      ...storageRoutes(ctx),
      ...signUpRoutes(ctx, parts, { invitations, verification }),
      ...authRoutes(ctx, parts),
      ...accountRoutes(ctx, parts),
      ...pictureRoutes(pictures, kept),
      ...passwordRoutes(ctx, parts),
      ...emailRoutes(ctx, parts, verification),
      ...invitationRoutes(ctx, invitations),
      ...userRoutes(ctx, parts),
      ...serverInvitationRoutes(ctx, parts),
      ...stepRoutes(ctx, parts),
      ...providerRoutes(ctx, parts, invitations),
    );
  },
});

async function sweep({ sessions, tickets }: AuthParts): Promise<void> {
  await sessions.sweep();
  await tickets.sweep();
}
