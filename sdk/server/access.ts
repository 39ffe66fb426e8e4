import type { AccountRole, Predicate, ProjectRole } from '../shared/index.ts';
import type { PluginUnit } from './plugin-database.ts';
import type { ViewSchema } from './schema.ts';

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
  /**
   * The id of the resolver that says whether the credential is still good (`CredentialResolver.isGood`), before anything is done in its name
   * that it left behind, such as a run of an automation. Without it nobody asks: a session ends, and what was begun by it goes on.
   */
  readonly resolver?: string;
  /** Narrows the project role, never widens it: an API token's role, a shared base's role, preview-as. */
  readonly maximumRole?: ProjectRole;
  /** The id of a custom role of a project, whose limits hold beside all others: preview-as. In other projects it leaves nothing. */
  readonly customRole?: string;
  /** Projects that the credential is limited to. */
  readonly onlyProjects?: readonly string[];
  /** Ids of the scope rules without which this principal may do nothing, for a credential whose limits a plugin keeps. */
  readonly scopeRules?: readonly string[];
}

/** Column ids of one table. A column that may not be read may not be written either, unless `writable` names it. @public */
export interface ColumnNarrowing {
  readonly readable?: ReadonlySet<string>;
  readonly writable?: ReadonlySet<string>;
  /**
   * Columns whose cells may go into those of columns that can be read, and by which their links may lead, though nobody can name them:
   * what a formula is made of that somebody shows on purpose. Where left out, the readable ones; the others are taken for empty.
   */
  readonly computable?: 'all' | ReadonlySet<string>;
}

/** What is left of a scope. Each part only takes away, and a part that is absent takes nothing; two narrowings mean both. @public */
export interface Narrowing {
  /** The permissions that stay. */
  readonly permissions?: ReadonlySet<string>;
  /** Only the permissions that this role has stay. */
  readonly maximumRole?: ProjectRole;
  /** The id of the custom role that this narrowing is what is left of; what rules say by role holds for it by this id, too. */
  readonly customRole?: string;
  /** By table id; a table that is not named keeps its columns. */
  readonly columns?: ReadonlyMap<string, ColumnNarrowing>;
  /** By table id: the condition that a row must meet to exist for the caller. */
  readonly rows?: ReadonlyMap<string, Predicate>;
  /**
   * By table id: the permissions that stay for what is done in the table. A table for which none stays does not exist for the
   * caller, and neither do links to it.
   */
  readonly tables?: ReadonlyMap<string, ReadonlySet<string>>;
  /** The same for tables that `tables` does not name, those that are made later among them; where left out, they keep all. */
  readonly otherTables?: ReadonlySet<string>;
  /**
   * Ids of the views through which rows are reached; no table can then be read without one of them. A view's own filters hide no
   * row that is named by its key, so a rule that limits rows names `rows` as well.
   */
  readonly views?: ReadonlySet<string>;
  /**
   * Ids of views that are not listed for the caller, and neither are tables none of whose views are left. Tidiness and no secrecy: the rows
   * of the tables stay what they are for the caller.
   */
  readonly hiddenViews?: ReadonlySet<string>;
  /**
   * The same by role: the caller's own one, those to which a rule or a credential limits it, and custom roles by their ids. What is
   * hidden from any of them is hidden.
   */
  readonly hiddenViewsOf?: ReadonlyMap<string, ReadonlySet<string>>;
  /** `rows` by role, as `hiddenViewsOf`; where several hold, a row must meet all of them. */
  readonly rowsOf?: ReadonlyMap<string, ReadonlyMap<string, Predicate>>;
  /** By role, as `rowsOf`: what a row must meet besides, to be changed, deleted or added. It is seen all the same. */
  readonly changeableOf?: ReadonlyMap<string, ReadonlyMap<string, Predicate>>;
}

/** What a scope rule judges by. @public */
export interface ScopeRuleFacts {
  readonly principal: Principal;
  /** Undefined for calls that name no project. */
  readonly projectId: string | undefined;
  /** The caller's roles before any narrowing. */
  readonly roles: readonly string[];
}

/** What a scope rule takes away. @public */
export type ScopeRuleAnswer = Narrowing | readonly Narrowing[] | undefined;

/**
 * Takes rights away from callers: a token's limits, what a shared link shows, which tables a role sees.
 *
 * It is asked when a scope is made, and its answer is kept until rights or tables change anywhere, so that it may name the columns of
 * the moment; a plugin whose own rules changed calls `AccessService.didChangeRules`. A rule that throws refuses the call (503 `RIGHTS_UNKNOWN`), and a rule that a principal names
 * and that is not registered leaves that principal no rights. A visitor of a shared link has what at least one rule leaves by
 * naming `permissions` or `maximumRole`, and nothing when no rule does.
 * @public
 */
export interface ScopeRule {
  readonly id: string;
  /** Undefined takes nothing away; of several, all hold. */
  narrow(facts: ScopeRuleFacts): ScopeRuleAnswer | Promise<ScopeRuleAnswer>;
}

/**
 * What somebody does with a view: know of it, read rows through it, change what it shows, change its mode, delete it, give others
 * a link to it.
 * @public
 */
export type ViewAct = 'see' | 'read' | 'change' | 'lock' | 'delete' | 'share';

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
  /** The roles for which rules by role hold for the caller: the own one, those that limit it, and custom ones by their ids. */
  readonly seenAs: readonly string[];
  /** The id of the request, carried into every log entry. */
  readonly requestId: string;
  /** True when the caller has the permission; one that nobody registered is denied. */
  may(permission: string): boolean;
  /** Throws 401 for a guest, 403 with the permission's name otherwise. */
  require(permission: string): void;
  /** Column ids that may be read in this table, or `all`. */
  readableColumns(tableId: string): 'all' | ReadonlySet<string>;
  /** Column ids that may be written in this table, or `all`; not a part of the readable ones: a form may write what it never shows. */
  writableColumns(tableId: string): 'all' | ReadonlySet<string>;
  /** Column ids of this table of which cells that can be read may be made, or `all`: see `ColumnNarrowing.computable`. */
  computableColumns(tableId: string): 'all' | ReadonlySet<string>;
  /** A condition that every row of this table must meet to exist for the caller. */
  rowPredicate(tableId: string): Predicate | undefined;
  /**
   * The same caller as one who is about to change rows of this table: `rowPredicate` then leaves those that may be changed. The scope
   * itself where a row that is seen may be changed as well.
   */
  changing(tableId: string): AccessScope;
  /** The same caller, for whom rows of this table must meet a condition besides. */
  withRows(tableId: string, rule: Predicate): AccessScope;
  /** The rights in one table: `may` and `require` then leave out what rules take away there. A handle's scope is that of its table. */
  inTable(tableId: string): AccessScope;
  /** Whether a rule leaves the caller anything of this table; one that is not reached answers like one that was never made. */
  reaches(tableId: string): boolean;
  /**
   * Whether the view's mode, its owner and the views of this scope allow the act; permissions are asked by `require`, beside it.
   * `undefined` stands for the table without a view. A view that may not be seen answers like one that was never made.
   */
  can(view: Pick<ViewSchema, 'id' | 'tableId' | 'lockType' | 'ownerId'> | undefined, act: ViewAct): boolean;
  /** Whether a rule hides this view from the caller. */
  isHidden(viewId: string): boolean;
  /** The roles from which rules hide this view, whoever the caller is; custom ones by their ids. */
  hiddenFrom(viewId: string): readonly string[];
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
  scopeFor(
    principal: Principal,
    projectId: string | undefined,
    requestId: string,
  ): AccessScope | Promise<AccessScope>;
  /** A scope with every right, for work that the host does by itself (start-up, jobs). */
  systemScope(projectId: string | undefined, reason: string): AccessScope;
  /** Fewer rights than `scope` has, for one call. */
  narrow(scope: AccessScope, to: Narrowing): AccessScope;
  /**
   * Ids of the permissions that a scope has and that are judged as it is: those of the project where it names one, otherwise those of
   * the account. What a page offers follows them.
   */
  permissionsOf(scope: AccessScope): readonly string[];
  /**
   * A text that is another one once rules or roles leave the caller something else in the project, so that whoever shows what they left
   * reads it again. It tells nothing of the rules.
   */
  markOf(scope: AccessScope): string;
  /** Has every server ask the scope rules again: with `unit` when its transaction commits, otherwise at once. */
  didChangeRules(unit?: PluginUnit): Promise<void>;
  /** Finds the project that an object belongs to, or undefined for an id that was never issued. */
  locate(kind: ObjectKind, id: string): string | undefined | Promise<string | undefined>;
  /** The project with this title or id, whoever may see it; rights are judged by the scope that follows. */
  locateProject(titleOrId: string): string | undefined | Promise<string | undefined>;
  /** Makes the account a member, or gives a member this role in place of the one before. Holds from the next request on. */
  grant(projectId: string, userId: string, role: ProjectRole): Promise<void>;
  /** Ends a membership; nothing happens to somebody who is no member. */
  revoke(projectId: string, userId: string): Promise<void>;
  members(projectId: string): Promise<readonly { userId: string; role: ProjectRole }[]>;
  /** The member's roles (`owner` implies `creator`); empty for somebody who is no member. */
  rolesIn(userId: string, projectId: string): Promise<readonly ProjectRole[]>;
}

/** What an id in a path can name. @public */
export type ObjectKind =
  'project' | 'base' | 'table' | 'column' | 'view' | 'viewColumn' | 'sort' | 'filter' | 'task';
