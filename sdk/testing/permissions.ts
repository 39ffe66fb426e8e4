import { storePermissions } from '../server/permissions.ts';
import type { AccountRole, ProjectRole } from '../shared/index.ts';

/** What a member with a role may do in a project, by the permissions of the stores. @public */
export function permissionsOf(role: ProjectRole): readonly string[] {
  const isManager = role === 'owner' || role === 'creator';
  return storePermissions
    .filter(({ scope, roles }) => scope === 'project' && (isManager || roles.includes(role)))
    .map(({ id }) => id);
}

/** What an account with a role may do outside of projects. @internal */
export function accountPermissionsOf(role: AccountRole): readonly string[] {
  return storePermissions
    .filter(({ scope, roles }) => scope === 'account' && (role === 'super' || roles.includes(role)))
    .map(({ id }) => id);
}
