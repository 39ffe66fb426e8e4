import type { ProjectEntity } from '@trellis/sdk/shared';
import {
  objectsTag,
  type ApiRequest,
  type ObjectOfKind,
  type ProjectObject,
  type ShellView,
  type WebObjectKind,
} from '@trellis/sdk/web';

export interface ObjectList {
  readonly list: readonly ProjectObject[];
  /** The total number, if it is larger than the list. */
  readonly total?: number;
}

/** The request for a kind's objects, and the tags by which the live event `objects` reads them again. */
export function objectsRequest(
  kind: WebObjectKind,
  project: ProjectEntity,
): ApiRequest & { readonly tags: readonly string[] } {
  return { path: kind.list(project), tags: [objectsTag(kind.id, project.id)] };
}

/** An object with the kind of its tab. */
export const ofKind = (kind: WebObjectKind, object: ProjectObject): ObjectOfKind => ({
  ...object,
  kind: object.kind ?? kind.id,
});

export function openObject(shell: ShellView, { kind, id, title }: ObjectOfKind): void {
  shell.openTab({ type: kind, key: id, name: title });
}
