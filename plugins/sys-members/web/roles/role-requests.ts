import type { ProjectEntity, ProjectRole } from '@trellis/sdk/shared';
import { hasPermission, useServerData, type ApiRequest } from '@trellis/sdk/web';
import type { CustomRole, CustomRoleInput, TableAccess, TableRights } from '../../shared/index.ts';
import { teamTag } from '../team-requests.ts';

/** A permission that a custom role can lack. */
export interface OfferedPermission {
  readonly id: string;
  readonly label: string;
  /** The roles that have it. */
  readonly roles: readonly ProjectRole[];
}

export interface RoleList {
  readonly list: readonly CustomRole[];
  readonly permissions: readonly OfferedPermission[];
}

/** All that the base role has in a table, limited to `access`. */
export function wholeTable(access: TableAccess): TableRights {
  return { access, create: true, delete: true, columns: {}, newColumns: 'write' };
}

const rolesPath = ({ id }: ProjectEntity) =>
  `/api/v1/plugins/sys-members/projects/${encodeURIComponent(id)}/roles`;

function rolesTag({ id }: ProjectEntity): string {
  return `${teamTag(id)}:roles`;
}

/** The custom roles of a project, for those who may see them. */
export function useRoles(project: ProjectEntity) {
  const mayList = hasPermission('customRoleList', project);
  return useServerData<RoleList>(mayList ? { path: rolesPath(project) } : undefined, {
    tags: [rolesTag(project), teamTag(project.id)],
  });
}

export function saveRequest(
  project: ProjectEntity,
  id: string | undefined,
  body: CustomRoleInput,
): ApiRequest {
  const path = rolesPath(project);
  return id === undefined ? { method: 'POST', path, body } : { method: 'PATCH', path: `${path}/${id}`, body };
}

export function deleteRequest(
  project: ProjectEntity,
  { id }: CustomRole,
  replacement: string | undefined,
): ApiRequest {
  const path = `${rolesPath(project)}/${id}`;
  return { method: 'DELETE', path, ...(replacement !== undefined && { query: { replacement } }) };
}
