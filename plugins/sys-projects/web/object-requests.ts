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
  /** How many there are, where that is more than are listed. */
  readonly total?: number;
}

/** How the objects of a kind are read, and the tags under which the live event `objects` reads them again. */
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
