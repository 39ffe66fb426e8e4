import { defineErrors, type RegistryView } from '@trellis/core';
import {
  isVisitor,
  type AccessScope,
  type Narrowing,
  type Permission,
  type Principal,
  type ViewAct,
} from '@trellis/sdk/server';
import { projectRoles, type Predicate, type ProjectRole } from '@trellis/sdk/shared';
import { canWithView } from './view-rights.ts';

export const accessErrors = defineErrors({
  UNAUTHORIZED: { status: 401, message: 'Unauthorized access' },
  NOT_ALLOWED: { status: 403, message: '{permission} - {roles} : Not allowed' },
});

/** What a scope is judged by. */
export interface ScopeFacts {
  readonly principal: Principal;
  readonly projectId: string | undefined;
  /** The table whose rights `may` and `require` judge by; undefined for those in the project. */
  readonly tableId?: string;
  /** Project roles in a project, account roles outside of one; empty for a visitor of a shared link. */
  readonly roles: readonly string[];
  readonly requestId: string;
  readonly permissions: RegistryView<Permission>;
  /** Tables in which rows that the caller may not change are left out. */
  readonly changed?: readonly string[];
}

/** A narrowing that leaves nothing. */
export const nothing: Narrowing = { permissions: new Set() };

/** A visitor of a shared link never has more than an editor, whatever a rule leaves. */
const visitorRoles: readonly ProjectRole[] = ['editor', 'commenter', 'viewer'];

/** The rights of one caller in one project: judged by the permissions that are registered when a right is asked for. */
export class RoleScope implements AccessScope {
  readonly #facts: ScopeFacts;
  readonly #narrowings: readonly Narrowing[];
  #readable: { readonly tableId: string; readonly columns: 'all' | ReadonlySet<string> } | undefined;

  constructor(facts: ScopeFacts, narrowings: readonly Narrowing[] = []) {
    this.#facts = facts;
    this.#narrowings = narrowings;
  }

  get principal(): Principal {
    return this.#facts.principal;
  }

  get projectId(): string | undefined {
    return this.#facts.projectId;
  }

  /** The roles that a narrowing leaves; none where it leaves nothing, so that the answer does not tell of the project. */
  get roles(): readonly string[] {
    if (this.#narrowings.some(({ permissions }) => permissions?.size === 0)) return [];
    const limits = this.#narrowings.flatMap(({ maximumRole }) => maximumRole ?? []);
    const [lowest] = limits.toSorted((left, right) => rankOf(left) - rankOf(right));
    const isLowered = lowest !== undefined && this.#facts.roles.some((role) => rankOf(role) > rankOf(lowest));
    return isLowered ? rolesOf(lowest) : this.#facts.roles;
  }

  get requestId(): string {
    return this.#facts.requestId;
  }

  may(permission: string): boolean {
    const { tableId } = this.#facts;
    if (this.#narrowings.some((to) => to.permissions?.has(permission) === false)) return false;
    if (tableId !== undefined && this.#leftIn(tableId).some((left) => !left.has(permission))) return false;
    if (this.principal.kind === 'system') return true;
    const rule = this.#facts.permissions.get(permission);
    if (rule === undefined) return false;
    return this.projectId === undefined || rule.scope === 'account'
      ? this.#mayByAccount(rule)
      : this.#mayByProject(rule);
  }

  #mayByProject(rule: Permission): boolean {
    const roles = isVisitor(this.principal) ? visitorRoles : this.#facts.roles;
    return (
      roles.some((role) => hasByRole(rule, role)) &&
      this.#narrowings.every(({ maximumRole }) => maximumRole === undefined || hasByRole(rule, maximumRole))
    );
  }

  /** In a project, a credential or a rule that limits the project role leaves no right of the account. */
  #mayByAccount(rule: Permission): boolean {
    const isNarrowed = isLimited(this.principal) || this.#narrowings.some(({ maximumRole }) => maximumRole);
    if (this.projectId !== undefined && isNarrowed) return false;
    const roles = this.principal.kind === 'guest' ? (['guest'] as const) : this.principal.accountRoles;
    return roles.some((role) => role === 'super' || rule.roles.includes(role));
  }

  require(permission: string): void {
    if (this.may(permission)) return;
    if (this.principal.kind === 'guest') throw accessErrors.create('UNAUTHORIZED');
    throw accessErrors.create('NOT_ALLOWED', { permission, roles: this.roles.join(',') || 'user' });
  }

  readableColumns(tableId: string): 'all' | ReadonlySet<string> {
    // Asked for each column of a row that is shown.
    if (this.#readable?.tableId !== tableId)
      this.#readable = { tableId, columns: this.#findReadable(tableId) };
    return this.#readable.columns;
  }

  #findReadable(tableId: string): 'all' | ReadonlySet<string> {
    if (!this.reaches(tableId)) return new Set();
    return common(this.#narrowings.flatMap(({ columns }) => columns?.get(tableId)?.readable ?? []));
  }

  writableColumns(tableId: string): 'all' | ReadonlySet<string> {
    if (!this.reaches(tableId)) return new Set();
    return common(
      this.#narrowings.flatMap(({ columns }) => {
        const of = columns?.get(tableId);
        return of?.writable ?? of?.readable ?? [];
      }),
    );
  }

  computableColumns(tableId: string): 'all' | ReadonlySet<string> {
    if (!this.reaches(tableId)) return new Set();
    return common(
      this.#narrowings.flatMap(({ columns }) => {
        const of = columns?.get(tableId);
        const named = of?.computable ?? of?.readable ?? [];
        return named === 'all' ? [] : named;
      }),
    );
  }

  rowPredicate(tableId: string): Predicate | undefined {
    const named = this.#narrowings.flatMap(({ rows }) => rows?.get(tableId) ?? []);
    const byRole = this.#narrowings.flatMap(({ rowsOf }) =>
      rowsOf === undefined ? [] : this.seenAs.flatMap((role) => rowsOf.get(role)?.get(tableId) ?? []),
    );
    const changeable = this.#facts.changed?.includes(tableId) === true ? this.#changeable(tableId) : [];
    const items = [...named, ...byRole, ...changeable];
    return items.length > 1 ? { kind: 'and', items } : items[0];
  }

  changing(tableId: string): RoleScope {
    const { changed = [] } = this.#facts;
    return changed.includes(tableId) || this.#changeable(tableId).length === 0
      ? this
      : new RoleScope({ ...this.#facts, changed: [...changed, tableId] }, this.#narrowings);
  }

  withRows(tableId: string, rule: Predicate): RoleScope {
    return this.narrow({ rows: new Map([[tableId, rule]]) });
  }

  #changeable(tableId: string): readonly Predicate[] {
    return this.#narrowings.flatMap(({ changeableOf }) =>
      changeableOf === undefined
        ? []
        : this.seenAs.flatMap((role) => changeableOf.get(role)?.get(tableId) ?? []),
    );
  }

  inTable(tableId: string): RoleScope {
    const isNamed = this.#leftIn(tableId).length > 0;
    const at = isNamed ? tableId : undefined;
    return at === this.#facts.tableId
      ? this
      : new RoleScope({ ...this.#facts, tableId: at }, this.#narrowings);
  }

  reaches(tableId: string): boolean {
    return this.#leftIn(tableId).every(({ size }) => size > 0);
  }

  /** What each narrowing leaves in a table: by name, or by its default for tables that it does not name. */
  #leftIn(tableId: string): readonly ReadonlySet<string>[] {
    return this.#narrowings.flatMap(({ tables, otherTables }) => tables?.get(tableId) ?? otherTables ?? []);
  }

  can(view: Parameters<AccessScope['can']>[0], act: ViewAct): boolean {
    const views = common(this.#narrowings.flatMap((to) => to.views ?? []));
    if (view !== undefined && (this.isHidden(view.id) || !this.reaches(view.tableId))) return false;
    return view === undefined
      ? views === 'all'
      : canWithView({ principal: this.principal, views }, view, act);
  }

  isHidden(viewId: string): boolean {
    return this.#narrowings.some(
      ({ hiddenViews, hiddenViewsOf }) =>
        hiddenViews?.has(viewId) === true ||
        (hiddenViewsOf !== undefined &&
          this.seenAs.some((role) => hiddenViewsOf.get(role)?.has(viewId) === true)),
    );
  }

  hiddenFrom(viewId: string): readonly string[] {
    const roles = this.#narrowings.flatMap(({ hiddenViewsOf = new Map<string, ReadonlySet<string>>() }) =>
      [...hiddenViewsOf].flatMap(([role, views]) => (views.has(viewId) ? [role] : [])),
    );
    return [...new Set(roles)];
  }

  /** The own role with every role and custom role that limits it: a limit adds its rules and lifts none. */
  get seenAs(): readonly string[] {
    const own = projectRoles.filter((role) => this.#facts.roles.includes(role)).slice(0, 1);
    const limits = this.#narrowings.flatMap(({ maximumRole }) => maximumRole ?? []);
    const custom = this.#narrowings.flatMap(({ customRole }) => customRole ?? []);
    return [...new Set([...own, ...limits, ...custom])];
  }

  narrow(to: Narrowing): RoleScope {
    return new RoleScope(this.#facts, [...this.#narrowings, to]);
  }

  /** All that was taken away; the same object for every request of a caller, as long as it holds. */
  get narrowings(): readonly Narrowing[] {
    return this.#narrowings;
  }

  /** Stands for these rights in the project: the same object for every request of a caller, as long as they hold. */
  get rights(): object | undefined {
    const { tableId, changed } = this.#facts;
    return tableId === undefined && changed === undefined ? this.#narrowings : undefined;
  }

  /** The same rights for another request. */
  forRequest(requestId: string): RoleScope {
    return new RoleScope({ ...this.#facts, requestId }, this.#narrowings);
  }
}

/** Whether a credential gives less than its account has. */
export function isLimited({ maximumRole, onlyProjects }: Principal): boolean {
  return maximumRole !== undefined || onlyProjects !== undefined;
}

/** An owner is a creator too. */
export function rolesOf(role: ProjectRole): readonly ProjectRole[] {
  return role === 'owner' ? ['owner', 'creator'] : [role];
}

/** Zero for an account role. */
function rankOf(role: string): number {
  const place = (projectRoles as readonly string[]).indexOf(role);
  return place < 0 ? 0 : projectRoles.length - place;
}

function hasByRole(rule: Permission, role: string): boolean {
  return role === 'owner' || role === 'creator' || (rule.roles as readonly string[]).includes(role);
}

/** What all the sets hold; `all` where there is no set. */
function common(sets: readonly ReadonlySet<string>[]): 'all' | ReadonlySet<string> {
  const [first, ...others] = sets;
  return first === undefined ? 'all' : new Set([...first].filter((id) => others.every((set) => set.has(id))));
}
