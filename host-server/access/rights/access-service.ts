import type { RegistryView } from '@trellis/core';
import type { AccessScope, AccessService, ObjectKind, Permission, Principal } from '@trellis/sdk/server';
import type { ProjectRole } from '@trellis/sdk/shared';
import type { Metadata } from '../../metadata/metadata.ts';
import { RoleScope } from './access-scope.ts';
import { createMembershipCache } from './membership-cache.ts';

export interface AccessServiceDependencies {
  readonly metadata: Metadata;
  readonly permissions: RegistryView<Permission>;
}

const rank: Readonly<Record<ProjectRole, number>> = {
  owner: 5,
  creator: 4,
  editor: 3,
  commenter: 2,
  viewer: 1,
};

/** An owner is a creator too. */
function withImplied(role: ProjectRole): readonly ProjectRole[] {
  return role === 'owner' ? ['owner', 'creator'] : [role];
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
};

/** Ids remembered with their project: an id never moves, so only absence must not be remembered. */
const rememberedIds = 20_000;

/** Rights by membership, cached by the `access` and `projects` generations so that a change holds from the next request on. */
export function createAccessService(deps: AccessServiceDependencies): AccessService & { dispose(): void } {
  const { database, generations } = deps.metadata;
  const memberships = createMembershipCache(deps.metadata);
  const located = new Map<string, string>();

  function scope(
    principal: Principal,
    projectId: string | undefined,
    roles: readonly string[],
    requestId: string,
  ) {
    return new RoleScope({ principal, projectId, roles, requestId, permissions: deps.permissions });
  }

  async function projectRoles(principal: Principal, projectId: string): Promise<readonly string[]> {
    if (principal.onlyProjects !== undefined && !principal.onlyProjects.includes(projectId)) return [];
    const granted = await memberships.roleOf(principal.id, projectId);
    const own =
      principal.kind === 'sharedBase' || principal.kind === 'sharedView' ? principal.maximumRole : granted;
    if (own === undefined) return [];
    const role =
      principal.maximumRole && rank[principal.maximumRole] < rank[own] ? principal.maximumRole : own;
    return withImplied(role);
  }

  return {
    async scopeFor(principal, projectId, requestId) {
      if (projectId === undefined) return scope(principal, undefined, principal.accountRoles, requestId);
      if (principal.kind === 'system') return scope(principal, projectId, withImplied('owner'), requestId);
      return scope(principal, projectId, await projectRoles(principal, projectId), requestId);
    },
    systemScope(projectId, reason) {
      const principal: Principal = { kind: 'system', id: '', email: '', accountRoles: ['super'] };
      return scope(principal, projectId, withImplied('owner'), `system:${reason}`);
    },
    narrow(of: AccessScope, to) {
      if (!(of instanceof RoleScope)) throw new Error('Only a scope that this service made can be narrowed.');
      return of.narrow({ ...to, permissions: to.permissions && new Set(to.permissions) });
    },
    async locate(kind, id) {
      if (kind === 'project') return (await memberships.projectExists(id)) ? id : undefined;
      const known = located.get(id);
      if (known !== undefined) return known;
      const row = await database.read((unit) =>
        unit.first<{ project_id: string }>(unit.knex(homes[kind]).where({ id }).select('project_id')),
      );
      if (row === undefined) return undefined;
      if (located.size >= rememberedIds) located.clear();
      located.set(id, row.project_id);
      return row.project_id;
    },
    locateProject: (titleOrId) => memberships.projectByTitleOrId(titleOrId),
    async grant(projectId, userId, role) {
      await database.write(async (unit) => {
        await unit.run(
          unit
            .knex('trellis_grant')
            .insert({ project_id: projectId, account_id: userId, role, created_at: Date.now() })
            .onConflict(['project_id', 'account_id'])
            .merge(['role']),
        );
        await generations.bump(unit, 'access');
      });
    },
    async revoke(projectId, userId) {
      await database.write(async (unit) => {
        await unit.run(
          unit.knex('trellis_grant').where({ project_id: projectId, account_id: userId }).delete(),
        );
        await generations.bump(unit, 'access');
      });
    },
    async members(projectId) {
      const rows = await database.read((unit) =>
        unit.all<{ account_id: string; role: ProjectRole }>(
          unit
            .knex('trellis_grant')
            .where({ project_id: projectId })
            .select('account_id', 'role')
            .orderBy('account_id'),
        ),
      );
      return rows.map((row) => ({ userId: row.account_id, role: row.role }));
    },
    async rolesIn(userId, projectId) {
      const role = await memberships.roleOf(userId, projectId);
      return role === undefined ? [] : withImplied(role);
    },
    dispose() {
      memberships.dispose();
    },
  };
}
