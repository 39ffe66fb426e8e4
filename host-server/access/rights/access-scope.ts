import { defineErrors, type RegistryView } from '@trellis/core';
import type { AccessScope, Permission, Principal } from '@trellis/sdk/server';
import type { Predicate } from '@trellis/sdk/shared';

export const accessErrors = defineErrors({
  UNAUTHORIZED: { status: 401, message: 'Unauthorized access' },
  NOT_ALLOWED: { status: 403, message: '{permission} - {roles} : Not allowed' },
});

/** What a scope is judged by. */
export interface ScopeFacts {
  readonly principal: Principal;
  readonly projectId: string | undefined;
  /** Project roles in a project, account roles outside of one. */
  readonly roles: readonly string[];
  readonly requestId: string;
  readonly permissions: RegistryView<Permission>;
}

/** What narrows a scope; each part only takes away. */
export interface Narrowing {
  readonly permissions?: ReadonlySet<string>;
  readonly columns?: ReadonlyMap<string, ReadonlySet<string>>;
  readonly rows?: ReadonlyMap<string, Predicate>;
}

/** The rights of one caller in one project: judged by the permissions that are registered at the time of the question. */
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

  get roles(): readonly string[] {
    return this.#facts.roles;
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
    return this.roles.some(
      (role) => role === 'owner' || role === 'creator' || (rule.roles as readonly string[]).includes(role),
    );
  }

  #mayByAccount(rule: Permission): boolean {
    const roles = this.principal.kind === 'guest' ? (['guest'] as const) : this.principal.accountRoles;
    return roles.some((role) => role === 'super' || rule.roles.includes(role));
  }

  require(permission: string): void {
    if (this.may(permission)) return;
    if (this.principal.kind === 'guest') throw accessErrors.create('UNAUTHORIZED');
    throw accessErrors.create('NOT_ALLOWED', { permission, roles: this.roles.join(',') || 'user' });
  }

  visibleColumns(tableId: string): 'all' | ReadonlySet<string> {
    const named = this.#narrowings.flatMap(({ columns }) => columns?.get(tableId) ?? []);
    const [first, ...others] = named;
    return first === undefined
      ? 'all'
      : new Set([...first].filter((id) => others.every((set) => set.has(id))));
  }

  writableColumns(tableId: string): 'all' | ReadonlySet<string> {
    return this.visibleColumns(tableId);
  }

  rowPredicate(tableId: string): Predicate | undefined {
    const items = this.#narrowings.flatMap(({ rows }) => rows?.get(tableId) ?? []);
    return items.length > 1 ? { kind: 'and', items } : items[0];
  }

  narrow(to: Narrowing): RoleScope {
    return new RoleScope(this.#facts, [...this.#narrowings, to]);
  }
}
