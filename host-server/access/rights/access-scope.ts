import { defineErrors, type RegistryView } from '@trellis/core';
import type { AccessScope, Narrowing, Permission, Principal, ViewAct } from '@trellis/sdk/server';
import { projectRoles, type Predicate, type ProjectRole } from '@trellis/sdk/shared';
import { canWithView, isVisitor } from './view-rights.ts';

export const accessErrors = defineErrors({
  UNAUTHORIZED: { status: 401, message: 'Unauthorized access' },
  NOT_ALLOWED: { status: 403, message: '{permission} - {roles} : Not allowed' },
});

/** What a scope is judged by. */
export interface ScopeFacts {
  readonly principal: Principal;
  readonly projectId: string | undefined;
  /** Project roles in a project, account roles outside of one; empty for a visitor of a shared link. */
  readonly roles: readonly string[];
  readonly requestId: string;
  readonly permissions: RegistryView<Permission>;
}

/** A narrowing that leaves nothing. */
export const nothing: Narrowing = { permissions: new Set() };

/** A visitor of a shared link never has more than an editor, whatever a rule leaves. */
const visitorRoles: readonly ProjectRole[] = ['editor', 'commenter', 'viewer'];

/** The rights of one caller in one project: judged by the permissions that are registered when a right is asked for. */
export class RoleScope implements AccessScope {
  readonly #facts: ScopeFacts;
  readonly #narrowings: readonly Narrowing[];

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
    if (this.#narrowings.some((to) => to.permissions?.has(permission) === false)) return false;
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
    return common(this.#narrowings.flatMap(({ columns }) => columns?.get(tableId)?.readable ?? []));
  }

  writableColumns(tableId: string): 'all' | ReadonlySet<string> {
    return common(
      this.#narrowings.flatMap(({ columns }) => {
        const of = columns?.get(tableId);
        return of?.writable ?? of?.readable ?? [];
      }),
    );
  }

  rowPredicate(tableId: string): Predicate | undefined {
    const items = this.#narrowings.flatMap(({ rows }) => rows?.get(tableId) ?? []);
    return items.length > 1 ? { kind: 'and', items } : items[0];
  }

  can(view: Parameters<AccessScope['can']>[0], act: ViewAct): boolean {
    const views = common(this.#narrowings.flatMap((to) => to.views ?? []));
    if (view !== undefined && this.isHidden(view.id)) return false;
    return view === undefined
      ? views === 'all'
      : canWithView({ principal: this.principal, views }, view, act);
  }

  isHidden(viewId: string): boolean {
    return this.#narrowings.some(({ hiddenViews }) => hiddenViews?.has(viewId) === true);
  }

  narrow(to: Narrowing): RoleScope {
    return new RoleScope(this.#facts, [...this.#narrowings, to]);
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
