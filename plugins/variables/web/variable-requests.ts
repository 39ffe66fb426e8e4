import type { ProjectEntity } from '@trellis/sdk/shared';
import { useServerData, objectsTag, type ApiRequest } from '@trellis/sdk/web';
import { variablesObjectKind, type VariableEntity } from '../shared/index.ts';

/** The part of a variable that people edit; a value that is left out stays. */
export interface VariableDraft {
  readonly name: string;
  readonly value: string | undefined;
  readonly is_secret: boolean;
}

const pathOf = ({ id }: ProjectEntity) =>
  `/api/v1/plugins/variables/projects/${encodeURIComponent(id)}/variables`;

/** The same tag as that of the names for templates, which are read again together. */
export function variablesTag({ id }: ProjectEntity): string {
  return objectsTag(variablesObjectKind, id);
}

export function useVariables(project: ProjectEntity) {
  return useServerData<{ readonly list: readonly VariableEntity[] }>(
    { path: pathOf(project) },
    { tags: [variablesTag(project)] },
  );
}

export function saveRequest(
  project: ProjectEntity,
  former: VariableEntity | undefined,
  { name, value, is_secret }: VariableDraft,
): ApiRequest {
  const body = { ...(value !== undefined && { value }), is_secret };
  return former === undefined
    ? { method: 'POST', path: pathOf(project), body: { name, ...body } }
    : { method: 'PATCH', path: `${pathOf(project)}/${encodeURIComponent(former.name)}`, body };
}

export function removeRequest(project: ProjectEntity, { name }: VariableEntity): ApiRequest {
  return { method: 'DELETE', path: `${pathOf(project)}/${encodeURIComponent(name)}` };
}
