import type { ProjectRole } from '@trellis/sdk/shared';
import type { Metadata } from '../../metadata/metadata.ts';
import { KeptValues } from '../../metadata/kept-values.ts';

/** The members of each project, and the list of projects. Both are read once, and again after their generation has changed. */
export interface MembershipCache {
  /** The projects of an account with its role in each. */
  rolesOf(accountId: string): Roles | Promise<Roles>;
  /** Ids by id and by title; an id wins over a title that looks like one. */
  projects(): Projects | Promise<Projects>;
  dispose(): void;
}

export type Roles = ReadonlyMap<string, ProjectRole>;
export type Projects = ReadonlyMap<string, string>;

export function createMembershipCache(metadata: Metadata): MembershipCache {
  const { database, generations } = metadata;
  const roles = new KeptValues<Roles>();
  const directory = new KeptValues<Projects>();

  const subscription = generations.onDidChange(({ scope }) => {
    if (scope === 'access') roles.forget();
    if (scope === 'projects') directory.forget();
  });

  async function loadRoles(accountId: string): Promise<Roles> {
    const rows = await database.read((unit) =>
      unit.all<{ project_id: string; role: ProjectRole }>(
        unit.knex('trellis_grant').where({ account_id: accountId }).select('project_id', 'role'),
      ),
    );
    return new Map(rows.map((row) => [row.project_id, row.role]));
  }

  async function loadDirectory(): Promise<Projects> {
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
    rolesOf: (accountId) => roles.get(accountId, () => loadRoles(accountId)),
    projects: () => directory.get('all', loadDirectory),
    dispose() {
      void subscription.dispose();
    },
  };
}
