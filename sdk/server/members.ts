import { createToken, type AccountRole, type ProjectRole } from '../shared/index.ts';
import type { AccessScope } from './access.ts';
import type { PluginUnit } from './plugin-database.ts';

/** A member of a project. @public */
export interface Member {
  readonly userId: string;
  readonly email: string;
  readonly firstname: string | undefined;
  readonly lastname: string | undefined;
  readonly role: ProjectRole;
  readonly accountRoles: readonly AccountRole[];
  /** Whether a super admin has disabled the account: the membership stays, but gives no rights meanwhile. */
  readonly isDisabled: boolean;
  /** UTC, milliseconds since 1970. */
  readonly since: number;
}

/** A project of the server with its owners. @public */
export interface OwnedProject {
  readonly id: string;
  readonly title: string;
  /** UTC, milliseconds since 1970. */
  readonly createdAt: number;
  /** Sorted by address; none if the server created the project by itself. */
  readonly owners: readonly Pick<Member, 'userId' | 'email' | 'isDisabled'>[];
}

/**
 * The members of the scope's project. Nobody can give a role above their own or change a member who has one, and a project always
 * keeps an owner; concurrent changes take turns, so that two cannot break this together. Changes apply from the next request on.
 *
 * Throws 403 `ROLE_ABOVE_OWN`, 400 `LAST_OWNER`, `MEMBER_UNKNOWN`, `MEMBER_EXISTS` and `OWNER_THERE`.
 * @public
 */
export interface Members {
  /** Sorted by address. Requires `userList`. */
  list(scope: AccessScope): Promise<readonly Member[]>;
  /** The roles that the caller may give, from most to least. Requires `userInvite`. */
  givable(scope: AccessScope): readonly ProjectRole[];
  /**
   * Makes an account a member, and upgrades one that may not create projects yet to a full account. Requires `userInvite`.
   *
   * @param unit the plugin's own transaction, so that the invitation is used and the membership created together.
   */
  add(scope: AccessScope, userId: string, role: ProjectRole, unit?: PluginUnit): Promise<void>;
  /**
   * Requires `projectUserUpdate`.
   *
   * @param unit the plugin's own transaction, so that its data about the role changes together with it.
   */
  setRole(scope: AccessScope, userId: string, role: ProjectRole, unit?: PluginUnit): Promise<void>;
  /** Requires `projectUserDelete`. */
  remove(scope: AccessScope, userId: string): Promise<void>;
  /** Ends the caller's own membership; tokens cannot. Requires `projectLeave`. */
  leave(scope: AccessScope): Promise<void>;
  /** All projects of the server, sorted by title. Requires `projectRescue`, outside projects. */
  owned(scope: AccessScope): Promise<readonly OwnedProject[]>;
  /**
   * Makes an account the owner of a project that has no owner who can sign in; former owners keep their role. Requires
   * `projectRescue`, outside projects. 404 for an unknown project.
   *
   * @param unit as for `setRole`
   */
  rescue(scope: AccessScope, projectId: string, userId: string, unit?: PluginUnit): Promise<void>;
}
/** Members of projects. @public */
export const MembersToken = createToken<Members>('members');
