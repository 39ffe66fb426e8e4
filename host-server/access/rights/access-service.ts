import type { RegistryView } from '@trellis/core';
import {
  isVisitor,
  type AccessScope,
  type AccessService,
  type FilterHome,
  type ObjectKind,
  type Permission,
  type PluginUnit,
  type Principal,
  type ScopeRule,
  type Secrets,
} from '@trellis/sdk/server';
import type { ProjectRole } from '@trellis/sdk/shared';
import type { Metadata } from '../../metadata/metadata.ts';
import type { PluginErrors } from '../../runtime/tokens.ts';
import type { ViewHeirs } from '../members/view-heirs.ts';
import type { Unit } from '../../sql/unit.ts';
import { asPlugin } from '../../runtime/current-plugin.ts';
import { RoleScope, rolesOf } from './access-scope.ts';
import { KeptValues } from '../../metadata/kept-values.ts';
import { models } from '../../metadata/models/models.ts';
import { createMembershipCache } from './membership-cache.ts';
import { createMarks } from './rights-marks.ts';
import { narrowingsFor } from './scope-rules.ts';

export interface AccessServiceDependencies {
  readonly metadata: Metadata;
  readonly heirs: Pick<ViewHeirs, 'passOn'>;
  readonly permissions: RegistryView<Permission>;
  readonly scopeRules: RegistryView<ScopeRule>;
  readonly filterHomes: RegistryView<FilterHome>;
  readonly errors: PluginErrors;
  readonly nameOf: (pluginId: string) => string;
  /** The transaction behind a plugin's unit. */
  readonly unitOf: (unit: PluginUnit) => Unit;
  readonly secrets: Pick<Secrets, 'key'>;
}

/** Where an id of each kind is looked up, and by which column it names its project. */
const homes: Readonly<Record<Exclude<ObjectKind, 'project'>, string>> = {
  base: 'trellis_base',
  table: 'trellis_table',
  column: 'trellis_column',
  view: 'trellis_view',
  viewColumn: 'trellis_view_column',
  sort: 'trellis_sort',
  filter: 'trellis_filter',
  task: 'trellis_task',
};

/** Ids remembered with their project: an id never moves, so only absence must not be remembered. */
const rememberedIds = 20_000;
/** Callers whose rights in a project are remembered. */
const rememberedScopes = 5000;

/**
 * Rights by membership, narrowed by the scope rules. They are kept until a generation moves, be it of rights or of a schema, so a
 * change holds from the next request on.
 */
export function createAccessService(deps: AccessServiceDependencies): AccessService & { dispose(): void } {
  const { database, generations } = deps.metadata;
  const memberships = createMembershipCache(deps.metadata);
  const located = new Map<string, string>();
  const scopes = new KeptValues<RoleScope>(rememberedScopes);
  const texts = new WeakMap<Principal, string>();
  const rules = { rules: deps.scopeRules, errors: deps.errors, nameOf: deps.nameOf };
  const mark = createMarks(deps.secrets);
  const subscriptions = [
    // Any generation counts: a narrowing names tables and columns, so a change of the schema makes it out of date.
    generations.onDidChange(() => scopes.forget()),
    deps.scopeRules.onDidChange(() => scopes.forget()),
    // A rule that names the permissions that stay did not know those of a plugin that was switched on since.
    deps.permissions.onDidChange(() => scopes.forget()),
  ];

  async function roleOf(accountId: string, projectId: string): Promise<ProjectRole | undefined> {
    return (await memberships.rolesOf(accountId)).get(projectId);
  }

  async function rolesFor(principal: Principal, projectId: string | undefined): Promise<readonly string[]> {
    if (projectId === undefined) return principal.accountRoles;
    // Whoever has no account is no member, whatever rows there are: a guest's id is empty, and so is the system's.
    const isMember = principal.id !== '' && !isVisitor(principal);
    const role = isMember ? await roleOf(principal.id, projectId) : undefined;
    return role === undefined ? [] : rolesOf(role);
  }

  /** Two callers of whom all the same is known have the same rights. */
  function keyOf(principal: Principal, projectId: string | undefined): string {
    let text = texts.get(principal);
    if (text === undefined) {
      text = JSON.stringify(principal);
      texts.set(principal, text);
    }
    return `${projectId === undefined ? 'account' : `project ${projectId}`} ${text}`;
  }

  async function loadScope(principal: Principal, projectId: string | undefined): Promise<RoleScope> {
    const facts = { principal, projectId, roles: await rolesFor(principal, projectId) };
    return new RoleScope(
      { ...facts, requestId: '', permissions: deps.permissions },
      await narrowingsFor(rules, facts),
    );
  }

  /** The bump comes first, as wherever rights are changed: two that lock the same rows in another order end each other. */
  async function changeAccess(work: (unit: Unit) => Promise<void>): Promise<void> {
    await database.write(
      async (unit) => {
        await generations.bump(unit, 'access');
        await work(unit);
      },
      { retry: true },
    );
  }

  return {
    scopeFor(principal, projectId, requestId) {
      if (principal.kind === 'system') return systemScope(projectId, requestId);
      const scope = scopes.get(keyOf(principal, projectId), () => loadScope(principal, projectId));
      return scope instanceof Promise
        ? scope.then((loaded) => loaded.forRequest(requestId))
        : scope.forRequest(requestId);
    },
    systemScope: (projectId, reason) => systemScope(projectId, `system:${reason}`),
    narrow(of: AccessScope, to) {
      return ownScope(of).narrow(to);
    },
    permissionsOf(scope) {
      const judgedBy = scope.projectId === undefined ? 'account' : 'project';
      return deps.permissions
        .list()
        .filter((rule) => rule.scope === judgedBy && scope.may(rule.id))
        .map(({ id }) => id);
    },
    markOf: (scope) => mark(ownScope(scope)),
    async didChangeRules(unit) {
      await (unit === undefined
        ? database.write((own) => generations.bump(own, 'access'))
        : generations.bump(deps.unitOf(unit), 'access'));
    },
    locate(kind, id) {
      if (kind === 'project') return projectOf(id, (found) => (found === id ? id : undefined));
      return located.get(id) ?? locateRow(kind, id);
    },
    locateProject: (titleOrId) => projectOf(titleOrId, (found) => found),
    async grant(projectId, userId, role) {
      const { GrantModel } = await models();
      await changeAccess(async (unit) => {
        await GrantModel.query(unit.knex)
          .insert({ project_id: projectId, account_id: userId, role, created_at: Date.now() })
          .onConflict(['project_id', 'account_id'])
          .merge(['role']);
      });
    },
    async revoke(projectId, userId) {
      const { GrantModel } = await models();
      await changeAccess(async (unit) => {
        await GrantModel.query(unit.knex).deleteById([projectId, userId]);
        await deps.heirs.passOn(unit, { accountId: userId, projectId, by: '' });
      });
    },
    async members(projectId) {
      const { GrantModel } = await models();
      const rows = await database.read(async (unit) =>
        GrantModel.query(unit.knex).where({ project_id: projectId }).orderBy('account_id'),
      );
      return rows.map((row) => ({ userId: row.account_id, role: row.role }));
    },
    async rolesIn(userId, projectId) {
      const role = await roleOf(userId, projectId);
      return role === undefined ? [] : rolesOf(role);
    },
    dispose() {
      memberships.dispose();
      for (const subscription of subscriptions) void subscription.dispose();
    },
  };

  function ownScope(scope: AccessScope): RoleScope {
    if (scope instanceof RoleScope) return scope;
    throw new TypeError('Only a scope that this service made says what it leaves.');
  }

  function systemScope(projectId: string | undefined, requestId: string): RoleScope {
    const principal: Principal = { kind: 'system', id: '', email: '', accountRoles: ['super'] };
    return new RoleScope({
      principal,
      projectId,
      roles: projectId === undefined ? principal.accountRoles : rolesOf('owner'),
      requestId,
      permissions: deps.permissions,
    });
  }

  function projectOf(
    titleOrId: string,
    pick: (found: string | undefined) => string | undefined,
  ): string | undefined | Promise<string | undefined> {
    const projects = memberships.projects();
    return projects instanceof Promise
      ? projects.then((loaded) => pick(loaded.get(titleOrId)))
      : pick(projects.get(titleOrId));
  }

  async function locateRow(kind: keyof typeof homes, id: string): Promise<string | undefined> {
    const row = await database.read((unit) =>
      unit.first<{ project_id: string }>(unit.knex(homes[kind]).where({ id }).select('project_id')),
    );
    const projectId = row?.project_id ?? (kind === 'filter' ? await homeOfFilter(id) : undefined);
    if (projectId === undefined) return undefined;
    if (located.size >= rememberedIds) located.clear();
    located.set(id, projectId);
    return projectId;
  }

  /** The project of a filter that a plugin keeps. */
  async function homeOfFilter(id: string): Promise<string | undefined> {
    for (const { item, owner } of deps.filterHomes.entries()) {
      try {
        const projectId = await asPlugin(owner, () => item.projectOf(id));
        if (projectId !== undefined) return projectId;
      } catch (error) {
        deps.errors.report(owner, `filter home ${item.id}`, error);
      }
    }
    return undefined;
  }
}
