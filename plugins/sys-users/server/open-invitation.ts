import {
  AccessServiceToken,
  AccountStoreToken,
  MembersToken,
  type AccessScope,
  type Account,
  type PluginUnit,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { authErrors } from './auth-errors.ts';
import type { InvitationStore, StoredInvitation } from './invitation-store.ts';

/** An invitation that its inviter could make today, too. */
export interface OpenInvitation {
  readonly invitation: StoredInvitation;
  /** Uses the invitation up and makes the account a member, in the transaction of `unit`. */
  accept(account: Account, unit: PluginUnit): Promise<void>;
}

/**
 * Opens the invitation that a link leads to.
 *
 * @throws TrellisError `INVITATION_UNKNOWN`, `INVITATION_EXPIRED`, and `INVITATION_LAPSED` where the inviter has no right any more to
 * give what the invitation gives.
 */
export function createOpenInvitation(ctx: ServerPluginContext, invitations: InvitationStore) {
  const access = ctx.get(AccessServiceToken);
  const accounts = ctx.get(AccountStoreToken);
  const members = ctx.get(MembersToken);

  /** The rights that the inviter has now. */
  async function scopeOf({ inviterId, projectId }: StoredInvitation): Promise<AccessScope | undefined> {
    const inviter = await accounts.byId(inviterId);
    if (inviter === undefined) return undefined;
    const { id, email, roles } = inviter;
    const principal = { kind: 'user', id, email, accountRoles: roles } as const;
    return access.scopeFor(principal, projectId || undefined, 'invitation');
  }

  function mayInvite(scope: AccessScope, { projectId, role }: StoredInvitation): boolean {
    if (projectId === '') return scope.may('accountInvite');
    return scope.may('userInvite') && role !== undefined && members.givable(scope).includes(role);
  }

  return async (token: string): Promise<OpenInvitation> => {
    const invitation = await invitations.byToken(token);
    const scope = await scopeOf(invitation);
    if (scope === undefined || !mayInvite(scope, invitation)) throw authErrors.create('INVITATION_LAPSED');
    return {
      invitation,
      async accept(account, unit) {
        const { role } = await invitations.take(token, account.email, unit);
        if (scope.projectId === undefined || role === undefined) return;
        await members.add(scope, account.id, role, unit);
      },
    };
  };
}
