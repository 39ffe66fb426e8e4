import { createToken, type AccountRole, type ProjectRole } from '../shared/index.ts';
import type { AccessScope } from './access.ts';
import type { PluginUnit } from './plugin-database.ts';

/** Somebody who is in a project. @public */
export interface Member {
  readonly userId: string;
  readonly email: string;
  readonly firstname: string | undefined;
  readonly lastname: string | undefined;
  readonly role: ProjectRole;
  readonly accountRoles: readonly AccountRole[];
  /** Whether a super admin has disabled the account: the membership stays, and gives nothing meanwhile. */
  readonly isDisabled: boolean;
  /** UTC, milliseconds since 1970. */
  readonly since: number;
}

/** A project of the server and who answers for it. @public */
export interface OwnedProject {
  readonly id: string;
  readonly title: string;
  /** UTC, milliseconds since 1970. */
  readonly createdAt: number;
  /** By address; none where the server made the project by itself. */
  readonly owners: readonly Pick<Member, 'userId' | 'email' | 'isDisabled'>[];
}

/**
 * The members of the scope's project. Nobody gives a role above the own one or changes somebody who has one, and a project keeps an
 * owner; changes of one moment take turns, so that two cannot break this together. They hold from the next request on.
 *
 * Throws 403 `ROLE_ABOVE_OWN`, 400 `LAST_OWNER`, `MEMBER_UNKNOWN`, `MEMBER_EXISTS` and `OWNER_THERE`.
 * @public
 */
export interface Members {
  /** By address. Requires `userList`. */
  list(scope: AccessScope): Promise<readonly Member[]>;
  /** The roles that the caller may give, from most to least. Requires `userInvite`. */
  givable(scope: AccessScope): readonly ProjectRole[];
  /**
   * Makes an account a member, and a full account of one that may not make projects yet. Requires `userInvite`.
   *
   * @param unit the plugin's own transaction, so that an invitation is used up and the membership made together.
   */
  add(scope: AccessScope, userId: string, role: ProjectRole, unit?: PluginUnit): Promise<void>;
  /**
   * Requires `projectUserUpdate`.
   *
   * @param unit the plugin's own transaction, so that what it keeps about the role changes together with it.
   */
  setRole(scope: AccessScope, userId: string, role: ProjectRole, unit?: PluginUnit): Promise<void>;
  /** Requires `projectUserDelete`. */
  remove(scope: AccessScope, userId: string): Promise<void>;
  /** Ends the caller's own membership. A token cannot. Requires `projectLeave`. */
  leave(scope: AccessScope): Promise<void>;
  /** All projects of the server, by title. Requires `projectRescue`, outside of projects. */
  owned(scope: AccessScope): Promise<readonly OwnedProject[]>;
  /**
   * Makes an account the owner of a project that has no owner who could sign in; former owners stay what they are. Requires `projectRescue`,
   * outside of projects. 404 for a project that is not there.
   *
   * @param unit as for `setRole`
   */
  rescue(scope: AccessScope, projectId: string, userId: string, unit?: PluginUnit): Promise<void>;
}
/** Members of projects. @public */
export const MembersToken = createToken<Members>('members');
