import type { AccountRole, Predicate, ProjectRole } from '../shared/index.ts';

/**
 * Who is asking. A visitor of a shared link is a kind of its own, never a "viewer".
 * @public
 */
export interface Principal {
  readonly kind: 'user' | 'token' | 'sharedView' | 'sharedBase' | 'guest' | 'system';
  /** The user's id; for a token its creator's; empty for a guest. */
  readonly id: string;
  readonly email: string;
  readonly accountRoles: readonly AccountRole[];
  /** The credential behind it (session or token id), so that ending it ends live sockets too. */
  readonly credentialId?: string;
  /** Narrows the project role, never widens it: an API token's role, a shared base's role, preview-as. */
  readonly maximumRole?: ProjectRole;
  /** Projects that the credential is limited to. */
  readonly onlyProjects?: readonly string[];
}

/**
 * What one caller may do in one project; no store or compiler call goes without it.
 *
 * It is computed once for a request and only ever narrowed.
 * @public
 */
export interface AccessScope {
  readonly principal: Principal;
  /** Undefined for calls that name no project. */
  readonly projectId: string | undefined;
  /** Project roles in a project, account roles outside of one. */
  readonly roles: readonly string[];
  /** The id of the request, carried into every change record. */
  readonly requestId: string;
  /** True when the caller has the permission; one that nobody registered is denied. */
  may(permission: string): boolean;
  /** Throws 401 for a guest, 403 with the permission's name otherwise. */
  require(permission: string): void;
  /** Column ids that may be read in this table, or `all`. */
  visibleColumns(tableId: string): 'all' | ReadonlySet<string>;
  writableColumns(tableId: string): 'all' | ReadonlySet<string>;
  /** A condition that every row of this table must meet to exist for the caller. */
  rowPredicate(tableId: string): Predicate | undefined;
}

/** A row of the authorisation table. @public */
export interface Permission {
  /** `tableCreate`, `dataList`: the word in the 403 message. */
  readonly id: string;
  readonly label: string;
  /** Project roles that have it; `owner` and `creator` always do unless `scope` is `account`. */
  readonly roles: readonly (ProjectRole | AccountRole | 'guest')[];
  /** `project`: judged by the role in the project that the call names; `account`: by the account role. */
  readonly scope: 'project' | 'account';
}

/** Rights and membership. Every id is looked up together with its project. @public */
export interface AccessService {
  /** The caller's rights in a project, or for calls without one. A project that the caller is not in answers like one that never was. */
  scopeFor(principal: Principal, projectId: string | undefined, requestId: string): Promise<AccessScope>;
  /** A scope with every right, for work that the host does by itself (start-up, jobs). */
  systemScope(projectId: string | undefined, reason: string): AccessScope;
  /** Fewer rights than `scope` has: the columns, rows and permissions named. */
  narrow(
    scope: AccessScope,
    to: {
      permissions?: readonly string[];
      columns?: ReadonlyMap<string, ReadonlySet<string>>;
      rows?: ReadonlyMap<string, Predicate>;
    },
  ): AccessScope;
  /** Finds the project that an object belongs to, or undefined for an id that was never issued. */
  locate(kind: ObjectKind, id: string): Promise<string | undefined>;
  /** The project with this title or id, whoever may see it; rights are judged by the scope that follows. */
  locateProject(titleOrId: string): Promise<string | undefined>;
  /** Makes the account a member, or gives a member this role in place of the one before. Holds from the next request on. */
  grant(projectId: string, userId: string, role: ProjectRole): Promise<void>;
  /** Ends a membership; nothing happens to somebody who is no member. */
  revoke(projectId: string, userId: string): Promise<void>;
  members(projectId: string): Promise<readonly { userId: string; role: ProjectRole }[]>;
  /** The member's roles (`owner` implies `creator`); empty for somebody who is no member. */
  rolesIn(userId: string, projectId: string): Promise<readonly ProjectRole[]>;
}

/** What an id in a path can name. @public */
export type ObjectKind = 'project' | 'base' | 'table' | 'column' | 'view' | 'viewColumn' | 'sort' | 'filter';
