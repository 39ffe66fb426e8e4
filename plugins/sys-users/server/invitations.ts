import {
  AccountStoreToken,
  LettersToken,
  MembersToken,
  RateLimiterToken,
  type AccessScope,
  type Invitation,
  type InvitationLetter,
  type Invitations,
  type SentInvitation,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { ProjectRole } from '@trellis/sdk/shared';
import { authErrors } from './auth-errors.ts';
import { textsFor } from './letters/texts.ts';
import {
  isBelow,
  type InvitationLink,
  type InvitationStore,
  type StoredInvitation,
} from './invitation-store.ts';

/** Invitations that one person may create or send again in an hour. */
const invites = { name: 'invite', limit: 500, windowSeconds: 3600 };

/** See `Invitations`. */
export function createInvitations(ctx: ServerPluginContext, store: InvitationStore): Invitations {
  const members = ctx.get(MembersToken);
  const accounts = ctx.get(AccountStoreToken);
  const limiter = ctx.get(RateLimiterToken);

  /** Requires the permission for an action in a project, or without one. */
  function requireFor(scope: AccessScope, inProject: string, byAccount = 'accountInvite'): string {
    scope.require(scope.projectId === undefined ? byAccount : inProject);
    return scope.projectId ?? '';
  }

  /** The project roles that the caller may give; none without a project. */
  function givableBy(scope: AccessScope): readonly ProjectRole[] {
    return scope.projectId === undefined ? [] : members.givable(scope);
  }

  /** @throws TrellisError `INVITATION_MISSING` also for one with a role above the caller's. */
  async function find(scope: AccessScope, projectId: string, id: string): Promise<StoredInvitation> {
    const invitation = await store.byId(projectId, id);
    if (projectId !== '' && !isBelow(invitation, givableBy(scope)))
      throw authErrors.create('INVITATION_MISSING', { id });
    return invitation;
  }

  async function nameOf(accountId: string): Promise<string> {
    const account = await accounts.byId(accountId);
    const name = [account?.firstname, account?.lastname].filter(Boolean).join(' ').trim();
    return name || account?.email || 'Trellis';
  }

  /** Mails the link; if that is impossible, returns it to the inviter. */
  async function send(
    { invitation, token }: InvitationLink,
    { languages, projectTitle = '' }: InvitationLetter,
  ): Promise<SentInvitation> {
    const letters = ctx.find(LettersToken);
    if (letters?.canSend() !== true) return { invitation, token, mail: 'off' };
    const { text, day } = textsFor(languages);
    const { email, expiresAt, inviterId } = invitation;
    const values = { inviter: await nameOf(inviterId), project: projectTitle, email, day: day(expiresAt) };
    const isToProject = invitation.projectId !== '';
    const mail = await letters.send({
      to: email,
      subject: text(isToProject ? 'inviteSubject' : 'inviteServerSubject', values),
      paragraphs: [text(isToProject ? 'inviteText' : 'inviteServerText', values)],
      action: { label: text('inviteAction'), path: `/user/authentication/signup/${token}` },
      note: text('inviteNote', values),
      until: expiresAt,
    });
    return mail === 'sent' ? { invitation, mail } : { invitation, token, mail };
  }

  return {
    async list(scope): Promise<readonly Invitation[]> {
      return store.list(requireFor(scope, 'userList', 'accountList'));
    },
    async invite(scope, { email, role }, letter) {
      const projectId = requireFor(scope, 'userInvite');
      const address = accounts.addressOf(email);
      if (address === undefined) throw authErrors.create('INVALID_ADDRESS', { address: email.slice(0, 320) });
      const givable = givableBy(scope);
      if (projectId !== '' && (role === undefined || !givable.includes(role)))
        throw authErrors.create('ROLE_NOT_GIVABLE');
      await limiter.consume(invites, scope.principal.id);
      const inviterId = scope.principal.id;
      return send(await store.put({ email: address, projectId, role, inviterId }, givable), letter);
    },
    async renew(scope, id, letter) {
      const projectId = requireFor(scope, 'userInvite');
      const { email, role } = await find(scope, projectId, id);
      await limiter.consume(invites, scope.principal.id);
      const inviterId = scope.principal.id;
      return send(await store.put({ email, projectId, role, inviterId }, givableBy(scope)), letter);
    },
    async setRole(scope, id, role) {
      scope.require('projectUserUpdate');
      const invitation = await find(scope, scope.projectId ?? '', id);
      if (!members.givable(scope).includes(role)) throw authErrors.create('ROLE_NOT_GIVABLE');
      await store.setRole(invitation, { role, inviterId: scope.principal.id });
    },
    async remove(scope, id) {
      const projectId = requireFor(scope, 'projectUserDelete');
      await store.remove(await find(scope, projectId, id));
    },
    async announce(scope, account, { languages, projectTitle = '' }) {
      scope.require('userInvite');
      const letters = ctx.find(LettersToken);
      if (letters?.canSend() !== true) return;
      await limiter.consume(invites, scope.principal.id);
      const { text } = textsFor(languages);
      const values = { inviter: await nameOf(scope.principal.id), project: projectTitle };
      await letters.send({
        to: account.email,
        subject: text('addedSubject', values),
        paragraphs: [text('addedText', values)],
        action: { label: text('addedAction'), path: `/nc/${scope.projectId ?? ''}` },
      });
    },
  };
}
