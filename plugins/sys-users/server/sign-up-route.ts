import {
  AccountStoreToken,
  auditText,
  defineRoute,
  RouteAnswer,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { authErrors } from './auth-errors.ts';
import { authPath, credentialsSchema, deviceOf, type AuthParts, type Credentials } from './auth-steps.ts';
import type { VerificationLetters } from './email-routes.ts';
import { assertInvited, type InvitationStore } from './invitation-store.ts';
import { createOpenInvitations } from './open-invitation.ts';
import { checkNewPassword } from './password-hash.ts';
import { proofOf } from './passwords.ts';

type Request = RouteRequest<Record<string, string>, Record<string, unknown>, Credentials>;

/** The settings of the plugin. */
export interface SignUpSettings {
  readonly inviteOnly: boolean;
}

/** Sign-up, with or without an invitation, and whether it takes one. */
export function signUpRoutes(
  ctx: ServerPluginContext<SignUpSettings>,
  { sessions, hasher, steps, further }: AuthParts,
  {
    invitations,
    verification,
  }: {
    readonly invitations: InvitationStore;
    readonly verification: VerificationLetters;
  },
): readonly RouteDefinition[] {
  const accounts = ctx.get(AccountStoreToken);
  const { open: openInvitation } = createOpenInvitations(ctx, invitations);

  /** Without an invitation the first person may always sign up, and others if the administrator allows it. */
  async function isOpen(): Promise<boolean> {
    return !ctx.settings.current.inviteOnly || (await accounts.count()) === 0;
  }

  async function signUp(request: Request) {
    const { email, password, firstname, lastname, token } = request.body;
    if (!email) throw authErrors.create('EMAIL_REQUIRED');
    if (!password) throw authErrors.create('PASSWORD_REQUIRED');
    checkNewPassword(password);
    await steps.limit(request, 'signup', email);
    // Before the password is hashed, which is slow.
    const opened = token ? await openInvitation(token) : undefined;
    // Before an account is looked up, so that a link does not reveal who has an account.
    if (opened !== undefined) assertInvited(opened.invitation, accounts.addressOf(email));
    else if (!(await isOpen())) throw authErrors.create('SIGN_UP_CLOSED');
    const hash = await hasher.hash(password);
    const account = await ctx.db.write(async (unit) => {
      const names = { firstname: firstname ?? undefined, lastname: lastname ?? undefined };
      const isInvited = opened !== undefined;
      await opened?.begin(unit);
      const created = await accounts.create({ email, ...names, isInvited }, unit);
      await unit.run(unit.table('password').insert({ account_id: created.id, hash, changed_at: Date.now() }));
      await opened?.accept(created, unit);
      return created;
    });
    await steps.record(
      account,
      request,
      'SIGNUP',
      auditText('{{person}} signed up', { person: account.email }),
    );
    await opened?.recordJoining(account, request.ip);
    verification.sendLater(account, request.headers['accept-language']);
    // A first session requires the same steps as later ones.
    const asked = await further.begin(account, { way: 'password', proof: proofOf(hash) });
    if (asked !== undefined) return new RouteAnswer({ body: { step: asked.step }, cookies: [asked.cookie] });
    return steps.signedIn(account, await sessions.open(account.id, deviceOf(request)));
  }

  const answer = defineRoute({
    ...authPath('/user/signup'),
    method: 'GET',
    permission: 'public',
    places: 'none',
    summary: 'Whether anybody may make an account, or invited people alone',
    handle: async () => ({ isOpen: await isOpen() }),
  });
  const signUpItself = defineRoute<Record<string, string>, Record<string, unknown>, Credentials>({
    ...authPath('/user/signup'),
    method: 'POST',
    permission: 'public',
    summary: 'Make an account; the first one becomes the super admin',
    schemas: { body: credentialsSchema },
    unknownKeys: 'refuse',
    places: 'passwords',
    handle: signUp,
  });
  return [answer, signUpItself];
}
