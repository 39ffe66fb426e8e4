import type { ProjectEntity } from '@trellis/sdk/shared';
import type { ApiRequest } from '@trellis/sdk/web';
import type { ObjectKind } from '../shared/index.ts';

export function projectRequest(project: ProjectEntity): ApiRequest {
  return { path: `/api/v1/db/meta/projects/${encodeURIComponent(project.id)}` };
}

const projectPath = (project: ProjectEntity) =>
  `/api/v1/plugins/database-objects/projects/${encodeURIComponent(project.id)}`;

/** The objects of all external databases of a project other than tables. */
export const projectObjectsPath = (project: ProjectEntity): string => `${projectPath(project)}/objects`;

const objectsPath = (project: ProjectEntity, baseId: string) =>
  `${projectPath(project)}/bases/${encodeURIComponent(baseId)}/objects`;

export function listRequest(
  project: ProjectEntity,
  baseId: string,
  { kind, search }: { readonly kind: ObjectKind | ''; readonly search: string },
): ApiRequest {
  const query = { ...(kind !== '' && { kind }), ...(search !== '' && { search }) };
  return { path: objectsPath(project, baseId), query };
}

/** @param key the tab's key, made by `keyOf` of `shared` */
export function oneRequest(project: ProjectEntity, kind: ObjectKind, key: string): ApiRequest {
  const end = key.indexOf(':');
  return {
    path: `${objectsPath(project, key.slice(0, end))}/one`,
    query: { kind, id: key.slice(end + 1) },
  };
}
