import {
  AccessServiceToken,
  AccountStoreToken,
  AuditLogToken,
  auditText,
  MembersToken,
  type AccessScope,
  type Account,
  type PluginUnit,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { authErrors } from './auth-errors.ts';
import type { InvitationStore, StoredInvitation } from './invitation-store.ts';

/** An invitation that its inviter could still create today. */
export interface OpenInvitation {
  readonly invitation: StoredInvitation;
  /**
   * The first step of a transaction that also creates the account: changes of memberships are waited for before accounts are
   * locked, as wherever both change, since another order would deadlock.
   */
  begin(unit: PluginUnit): Promise<void>;
  /** Consumes the invitation and makes the account a member, in the transaction of `unit`. */
  accept(account: Account, unit: PluginUnit): Promise<void>;
  /** Records in the project's audit log that a person joined, after the commit. */
  recordJoining(account: Account, ip: string): Promise<void>;
}

/** The currently valid invitations. */
export interface OpenInvitations {
  /**
   * Opens the invitation of a link.
   *
   * @throws TrellisError `INVITATION_UNKNOWN`, `INVITATION_EXPIRED`, and `INVITATION_LAPSED` if the inviter may no longer give
   *   what the invitation gives.
   */
  open(token: string): Promise<OpenInvitation>;
  /** Whether an address has an invitation that its link would open. */
  isInvited(email: string): Promise<boolean>;
}

export function createOpenInvitations(
  ctx: ServerPluginContext,
  invitations: InvitationStore,
): OpenInvitations {
  const access = ctx.get(AccessServiceToken);
  const accounts = ctx.get(AccountStoreToken);
  const members = ctx.get(MembersToken);
  const audit = ctx.get(AuditLogToken);

  /** The current rights of the inviter. */
  async function scopeOf({ inviterId, projectId }: StoredInvitation): Promise<AccessScope | undefined> {
    const inviter = await accounts.byId(inviterId);
    if (inviter === undefined || inviter.isDisabled) return undefined;
    const { id, email, roles } = inviter;
    const principal = { kind: 'user', id, email, accountRoles: roles } as const;
    return access.scopeFor(principal, projectId || undefined, 'invitation');
  }

  function mayInvite(scope: AccessScope, { projectId, role }: StoredInvitation): boolean {
    if (projectId === '') return scope.may('accountInvite');
    return scope.may('userInvite') && role !== undefined && members.givable(scope).includes(role);
  }

  /** The rights of the inviter; undefined if they no longer suffice. */
  async function inviterOf(invitation: StoredInvitation): Promise<AccessScope | undefined> {
    const scope = await scopeOf(invitation);
    return scope !== undefined && mayInvite(scope, invitation) ? scope : undefined;
  }

  return {
    async open(token) {
      const invitation = await invitations.byToken(token);
      const scope = await inviterOf(invitation);
      if (scope === undefined) throw authErrors.create('INVITATION_LAPSED');
      return {
        invitation,
        async begin(unit) {
          if (scope.projectId !== undefined) await access.didChangeRules(unit);
        },
        async accept(account, unit) {
          const { role } = await invitations.take(token, account.email, unit);
          if (scope.projectId === undefined || role === undefined) return;
          await members.add(scope, account.id, role, unit);
        },
        async recordJoining({ id, email }, ip) {
          const { projectId } = scope;
          if (projectId === undefined) return;
          await audit.record({
            type: 'AUTHENTICATION',
            subType: 'ROLES_MANAGEMENT',
            principal: { id, email },
            ip,
            projectId,
            description: auditText('{{person}} accepted the invitation', { person: email }),
          });
        },
      };
    },
    async isInvited(email) {
      for (const invitation of await invitations.byEmail(email))
        if ((await inviterOf(invitation)) !== undefined) return true;
      return false;
    },
  };
}
