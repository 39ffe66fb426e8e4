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

/** A permission that can be taken from a custom role. */
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

/** All rights of the base role in a table, limited to `access`. */
export function wholeTable(access: TableAccess): TableRights {
  return { access, create: true, delete: true, columns: {}, newColumns: 'write' };
}

const rolesPath = ({ id }: ProjectEntity) =>
  `/api/v1/plugins/sys-members/projects/${encodeURIComponent(id)}/roles`;

/** A project's custom roles, for people who may see them. */
export function useRoles(project: ProjectEntity) {
  const mayList = hasPermission('customRoleList', project);
  return useServerData<RoleList>(mayList ? { path: rolesPath(project) } : undefined, {
    // The number of people with a role changes with the team.
    tags: [objectsTag(rolesObjectKind, project.id), teamTag(project.id), 'projects'],
  });
}

/** @param replaces the state that the person started from; undefined for a new role */
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
