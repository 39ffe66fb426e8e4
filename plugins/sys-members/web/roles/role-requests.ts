import type { ProjectEntity, ProjectRole } from '@trellis/sdk/shared';
import { hasPermission, objectsTag, useServerData, type ApiRequest } from '@trellis/sdk/web';
import {
  rolesObjectKind,
  type CustomRole,
  type CustomRoleInput,
  type TableAccess,
  type TableRights,
} from '../../shared/index.ts';
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

/** The custom roles of a project, for those who may see them. */
export function useRoles(project: ProjectEntity) {
  const mayList = hasPermission('customRoleList', project);
  return useServerData<RoleList>(mayList ? { path: rolesPath(project) } : undefined, {
    // How many have a role changes with the team.
    tags: [objectsTag(rolesObjectKind, project.id), teamTag(project.id), 'projects'],
  });
}

/** @param replaces what the person began from; nothing where the role is made */
export function saveRequest(
  project: ProjectEntity,
  id: string | undefined,
  body: CustomRoleInput,
  replaces: string | null | undefined,
): ApiRequest {
  const path = rolesPath(project);
  return id === undefined
    ? { method: 'POST', path, body }
    : { method: 'PATCH', path: `${path}/${id}`, body: { ...body, replaces } };
}

export function deleteRequest(
  project: ProjectEntity,
  { id }: CustomRole,
  replacement: string | undefined,
): ApiRequest {
  const path = `${rolesPath(project)}/${id}`;
  return { method: 'DELETE', path, ...(replacement !== undefined && { query: { replacement } }) };
}
