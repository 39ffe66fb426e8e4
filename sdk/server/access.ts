import type { AccountRole, Predicate, ProjectRole } from '../shared/index.ts';
import type { PluginUnit } from './plugin-database.ts';
import type { ViewSchema } from './schema.ts';

/**
 * The caller. A visitor of a shared link is a kind of its own, never a "viewer".
 * @public
 */
export interface Principal {
  readonly kind: 'user' | 'token' | 'sharedView' | 'sharedBase' | 'guest' | 'system';
  /** The user's id; for a token the id of its creator; empty for a guest. */
  readonly id: string;
  readonly email: string;
  readonly accountRoles: readonly AccountRole[];
  /** The credential behind it (session or token id), so that ending it ends live sockets too. */
  readonly credentialId?: string;
  /**
   * The id of the resolver that tells whether the credential is still good (`CredentialResolver.isGood`). It is asked before work
   * that the principal left behind, such as a run of an automation, is done in its name. Without it, such work goes on after the
   * session has ended.
   */
  readonly resolver?: string;
  /** Limits the project role, and never raises it: an API token's role, a shared base's role, preview-as. */
  readonly maximumRole?: ProjectRole;
  /** The id of a project's custom role whose limits apply in addition to all others: preview-as. In other projects it leaves no rights. */
  readonly customRole?: string;
  /** Projects that the credential is limited to. */
  readonly onlyProjects?: readonly string[];
  /** Ids of scope rules that must be registered, or the principal has no rights: for a credential whose limits a plugin stores. */
  readonly scopeRules?: readonly string[];
}

/** Column ids of one table. A column that may not be read may not be written either, unless `writable` names it. @public */
export interface ColumnNarrowing {
  readonly readable?: ReadonlySet<string>;
  readonly writable?: ReadonlySet<string>;
  /**
   * Columns that cannot be read, but from which readable cells may be computed, and over which links of these may lead: the
   * sources of a formula that somebody shows on purpose. Default: the readable columns; others count as empty.
   */
  readonly computable?: 'all' | ReadonlySet<string>;
}

/** Limits of a scope. Each part only takes rights away, and an absent part takes none; with several narrowings all apply. @public */
export interface Narrowing {
  /** The permissions that remain. */
  readonly permissions?: ReadonlySet<string>;
  /** Only permissions of this role remain. */
  readonly maximumRole?: ProjectRole;
  /** The id of the custom role that this narrowing implements; rules by role apply under this id too. */
  readonly customRole?: string;
  /** By table id; a table that is not named keeps all columns. */
  readonly columns?: ReadonlyMap<string, ColumnNarrowing>;
  /** By table id: the condition under which a row is visible to the caller. */
  readonly rows?: ReadonlyMap<string, Predicate>;
  /** By table id: the permissions that remain within the table. A table without any is invisible to the caller, and so are links to it. */
  readonly tables?: ReadonlyMap<string, ReadonlySet<string>>;
  /** As `tables`, for tables that it does not name, including later ones; by default these keep all permissions. */
  readonly otherTables?: ReadonlySet<string>;
  /**
   * Ids of the views by which rows can be reached; without one of them no table can be read. A view's own filters do not protect
   * a row that is named by its key, so a rule that limits rows must also set `rows`.
   */
  readonly views?: ReadonlySet<string>;
  /**
   * Ids of views that are not listed for the caller; tables without any listed view are not listed either. This is for tidiness
   * and not for secrecy: the caller's rights to the rows stay.
   */
  readonly hiddenViews?: ReadonlySet<string>;
  /**
   * As `hiddenViews`, by role: the caller's own role, roles to which a rule or a credential limits it, and custom roles by id. A
   * view hidden from any of them is hidden.
   */
  readonly hiddenViewsOf?: ReadonlyMap<string, ReadonlySet<string>>;
  /** As `rows`, by role like `hiddenViewsOf`; if several roles apply, a row must meet all conditions. */
  readonly rowsOf?: ReadonlyMap<string, ReadonlyMap<string, Predicate>>;
  /**
   * By role like `rowsOf`: a further condition that a row must meet to be changed, deleted or added. It does not affect which
   * rows are visible.
   */
  readonly changeableOf?: ReadonlyMap<string, ReadonlyMap<string, Predicate>>;
}

/** The facts by which a scope rule decides. @public */
export interface ScopeRuleFacts {
  readonly principal: Principal;
  /** Undefined for calls that name no project. */
  readonly projectId: string | undefined;
  /** The caller's roles before any narrowing. */
  readonly roles: readonly string[];
}

/** The rights that a scope rule takes away. @public */
export type ScopeRuleAnswer = Narrowing | readonly Narrowing[] | undefined;

/**
 * Takes rights away from callers: a token's limits, what a shared link shows, which tables a role sees.
 *
 * It is called when a scope is made. Its answer is kept until rights or tables change anywhere, so it may name present columns; a
 * plugin whose own rules have changed calls `AccessService.didChangeRules`. A rule that throws refuses the call (503
 * `RIGHTS_UNKNOWN`), and if a rule that a principal names is not registered, the principal has no rights. A visitor of a shared
 * link has rights only if at least one rule sets `permissions` or `maximumRole`.
 * @public
 */
export interface ScopeRule {
  readonly id: string;
  /** Undefined takes nothing away; if it returns several, all apply. */
  narrow(facts: ScopeRuleFacts): ScopeRuleAnswer | Promise<ScopeRuleAnswer>;
}

/**
 * An act on a view: know of it, read rows through it, change what it shows, change its mode, delete it, share it by link.
 * @public
 */
export type ViewAct = 'see' | 'read' | 'change' | 'lock' | 'delete' | 'share';

/**
 * The rights of one caller in one project; every call of a store or of the compiler needs it.
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
  /** The roles under which rules by role apply to the caller: its own, those that limit it, and custom ones by id. */
  readonly seenAs: readonly string[];
  /** The id of the request, which is stored in every log entry. */
  readonly requestId: string;
  /** True when the caller has the permission; unregistered permissions are denied. */
  may(permission: string): boolean;
  /** Throws 401 for a guest, 403 with the permission's name otherwise. */
  require(permission: string): void;
  /** Column ids that may be read in this table, or `all`. */
  readableColumns(tableId: string): 'all' | ReadonlySet<string>;
  /**
   * Ids of writable columns in this table, or `all`. They may include columns that cannot be read: a form may write columns that
   * it never shows.
   */
  writableColumns(tableId: string): 'all' | ReadonlySet<string>;
  /** Ids of columns in this table from which readable cells may be computed, or `all`: see `ColumnNarrowing.computable`. */
  computableColumns(tableId: string): 'all' | ReadonlySet<string>;
  /** The condition under which a row of this table is visible to the caller. */
  rowPredicate(tableId: string): Predicate | undefined;
  /**
   * The scope for changing rows of this table: its `rowPredicate` only leaves rows that may be changed. Returns the same scope if
   * every visible row may be changed.
   */
  changing(tableId: string): AccessScope;
  /** The scope with a further condition on rows of this table. */
  withRows(tableId: string, rule: Predicate): AccessScope;
  /**
   * The scope within one table: `may` and `require` then respect what rules take away there. The scope of a handle is that of its
   * table.
   */
  inTable(tableId: string): AccessScope;
  /** Whether rules leave the caller any rights in this table. A table out of reach is answered like one that never existed. */
  reaches(tableId: string): boolean;
  /**
   * Whether the view's mode, its owner and the views of this scope allow the act; permissions are checked separately, by
   * `require`. `undefined` stands for the table without a view. A view that must not be seen is answered like one that never
   * existed.
   */
  can(view: Pick<ViewSchema, 'id' | 'tableId' | 'lockType' | 'ownerId'> | undefined, act: ViewAct): boolean;
  /** Whether a rule hides this view from the caller. */
  isHidden(viewId: string): boolean;
  /** The roles from which rules hide this view, whoever the caller is; custom roles by id. */
  hiddenFrom(viewId: string): readonly string[];
}

/** A permission, with the roles that have it. @public */
export interface Permission {
  /** `tableCreate`, `dataList`: the word in the 403 message. */
  readonly id: string;
  readonly label: string;
  /** Project roles that have it; `owner` and `creator` always do, unless `scope` is `account`. */
  readonly roles: readonly (ProjectRole | AccountRole | 'guest')[];
  /** `project`: decided by the role in the project that the call names; `account`: by the account role. */
  readonly scope: 'project' | 'account';
}

/** Rights and memberships. Every id is looked up together with its project. @public */
export interface AccessService {
  /** The caller's rights in a project, or for calls without one. A project without the caller is answered like one that never existed. */
  scopeFor(
    principal: Principal,
    projectId: string | undefined,
    requestId: string,
  ): AccessScope | Promise<AccessScope>;
  /** A scope with all rights, for the host's own work (start-up, jobs). */
  systemScope(projectId: string | undefined, reason: string): AccessScope;
  /** A scope with fewer rights, for one call. */
  narrow(scope: AccessScope, to: Narrowing): AccessScope;
  /**
   * Ids of the permissions that a scope has: those of the project if it names one, otherwise those of the account. Pages offer
   * actions by them.
   */
  permissionsOf(scope: AccessScope): readonly string[];
  /**
   * A text that changes when rules or roles leave the caller other rights in the project, so that pages know to read again. It
   * reveals nothing about the rules.
   */
  markOf(scope: AccessScope): string;
  /** Makes every server ask the scope rules again: when the transaction of `unit` commits, or at once without it. */
  didChangeRules(unit?: PluginUnit): Promise<void>;
  /** The project of an object; undefined for an id that was never issued. */
  locate(kind: ObjectKind, id: string): string | undefined | Promise<string | undefined>;
  /** The project with this title or id, whoever may see it; rights are checked later, by the scope. */
  locateProject(titleOrId: string): string | undefined | Promise<string | undefined>;
  /** Makes the account a member, or changes a member's role. Takes effect from the next request on. */
  grant(projectId: string, userId: string, role: ProjectRole): Promise<void>;
  /** Ends a membership; does nothing for an account that is no member. */
  revoke(projectId: string, userId: string): Promise<void>;
  members(projectId: string): Promise<readonly { userId: string; role: ProjectRole }[]>;
  /** The member's roles (`owner` implies `creator`); empty for an account that is no member. */
  rolesIn(userId: string, projectId: string): Promise<readonly ProjectRole[]>;
}

/** Kinds of objects whose ids paths can contain. @public */
export type ObjectKind =
  'project' | 'base' | 'table' | 'column' | 'view' | 'viewColumn' | 'sort' | 'filter' | 'task';
