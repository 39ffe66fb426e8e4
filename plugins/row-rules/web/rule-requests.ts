import { rolesObjectKind, teamObjectKind, type CustomRole } from '#plugins/sys-members/shared';
import type { ProjectEntity } from '@trellis/sdk/shared';
import { hasPermission, objectsTag, useServerData, type ApiRequest } from '@trellis/sdk/web';
import { rulesObjectKind, type RowRule } from '../shared/index.ts';

const rulesPath = ({ id }: ProjectEntity) =>
  `/api/v1/plugins/row-rules/projects/${encodeURIComponent(id)}/rules`;
const rulePath = (project: ProjectEntity, { tableId, role }: Pick<RowRule, 'tableId' | 'role'>) =>
  `${rulesPath(project)}/${encodeURIComponent(tableId)}/${encodeURIComponent(role)}`;

export function rulesTag({ id }: ProjectEntity): string {
  return objectsTag(rulesObjectKind, id);
}

export function useRules(project: ProjectEntity) {
  return useServerData<{ readonly list: readonly RowRule[] }>(
    { path: rulesPath(project) },
    { tags: [rulesTag(project)] },
  );
}

/** A project's custom roles, for people who may see them. */
export function useCustomRoles(project: ProjectEntity) {
  const path = `/api/v1/plugins/sys-members/projects/${encodeURIComponent(project.id)}/roles`;
  return useServerData<{ readonly list: readonly CustomRole[] }>(
    hasPermission('customRoleList', project) ? { path } : undefined,
    { tags: [objectsTag(rolesObjectKind, project.id), objectsTag(teamObjectKind, project.id), 'projects'] },
  );
}

export function saveRequest(
  project: ProjectEntity,
  place: Pick<RowRule, 'tableId' | 'role'>,
  rule: Pick<RowRule, 'filters' | 'limits'> & { readonly replaces: string | null },
): ApiRequest {
  return { method: 'PUT', path: rulePath(project, place), body: rule };
}

export function removeRequest(project: ProjectEntity, rule: RowRule): ApiRequest {
  return { method: 'DELETE', path: rulePath(project, rule) };
}
