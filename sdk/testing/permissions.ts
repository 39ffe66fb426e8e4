import { storePermissions } from '../server/permissions.ts';
import type { AccountRole, ProjectRole } from '../shared/index.ts';

/** A member's permissions in a project by their role, among those of the stores. @public */
export function permissionsOf(role: ProjectRole): readonly string[] {
  const isManager = role === 'owner' || role === 'creator';
  return storePermissions
    .filter(({ scope, roles }) => scope === 'project' && (isManager || roles.includes(role)))
    .map(({ id }) => id);
}

/** An account's permissions outside projects by its role. @internal */
export function accountPermissionsOf(role: AccountRole): readonly string[] {
  return storePermissions
    .filter(({ scope, roles }) => scope === 'account' && (role === 'super' || roles.includes(role)))
    .map(({ id }) => id);
}
