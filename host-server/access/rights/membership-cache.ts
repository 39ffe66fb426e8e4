import type { ProjectRole } from '@trellis/sdk/shared';
import type { Metadata } from '../../metadata/metadata.ts';

/** Who is in which project, and which projects there are: read once, read again after either generation moved. */
export interface MembershipCache {
  roleOf(accountId: string, projectId: string): Promise<ProjectRole | undefined>;
  projectExists(id: string): Promise<boolean>;
  projectByTitleOrId(titleOrId: string): Promise<string | undefined>;
  dispose(): void;
}

type Roles = ReadonlyMap<string, ProjectRole>;

export function createMembershipCache(metadata: Metadata): MembershipCache {
  const { database, generations } = metadata;
  let rolesByAccount = new Map<string, Promise<Roles>>();
  let projects: Promise<ReadonlyMap<string, string>> | undefined;

  const subscription = generations.onDidChange(({ scope }) => {
    if (scope === 'access') rolesByAccount = new Map();
    if (scope === 'projects') projects = undefined;
  });

  /** Keeps a load while it is good: a failed one is forgotten, so that the next request tries again. */
  function remember<T>(load: Promise<T>, forget: () => void): Promise<T> {
    load.catch(forget);
    return load;
  }

  function rolesOf(accountId: string): Promise<Roles> {
    const cache = rolesByAccount;
    let roles = cache.get(accountId);
    if (roles === undefined) {
      roles = remember(loadRoles(accountId), () => cache.delete(accountId));
      cache.set(accountId, roles);
    }
    return roles;
  }

  async function loadRoles(accountId: string): Promise<Roles> {
    const rows = await database.read((unit) =>
      unit.all<{ project_id: string; role: ProjectRole }>(
        unit.knex('trellis_grant').where({ account_id: accountId }).select('project_id', 'role'),
      ),
    );
    return new Map(rows.map((row) => [row.project_id, row.role]));
  }

  /** Ids and titles to ids; ids win over a title that looks like one. */
  function directory(): Promise<ReadonlyMap<string, string>> {
    projects ??= remember(loadDirectory(), () => {
      projects = undefined;
    });
    return projects;
  }

  async function loadDirectory(): Promise<ReadonlyMap<string, string>> {
    const rows = await database.read((unit) =>
      unit.all<{ id: string; title: string }>(
        unit.knex('trellis_project').whereNull('deleted_at').select('id', 'title'),
      ),
    );
    return new Map([
      ...rows.map((row) => [row.title, row.id] as const),
      ...rows.map((row) => [row.id, row.id] as const),
    ]);
  }

  return {
    roleOf: async (accountId, projectId) => (await rolesOf(accountId)).get(projectId),
    projectExists: async (id) => (await directory()).get(id) === id,
    projectByTitleOrId: async (titleOrId) => (await directory()).get(titleOrId),
    dispose() {
      void subscription.dispose();
    },
  };
}
