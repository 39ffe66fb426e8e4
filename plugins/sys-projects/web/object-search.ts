import type { RegistryView } from '@trellis/sdk/shared';
import type { HostActions, WebObjectKind, SearchSource } from '@trellis/sdk/web';
import { objectsRequest, ofKind, openObject, type ObjectList } from './object-requests.ts';

/** The open project's objects other than tables, for searches by name. */
export function createObjectSearch(kinds: RegistryView<WebObjectKind>): SearchSource {
  return {
    id: 'objects',
    label: 'Objects',
    order: 15,
    when: ({ project }) => project !== undefined && kinds.list().length > 0,
    async list(context, { api, signal, t }) {
      const { project } = context;
      if (project === undefined) return [];
      const lists = kinds.list().map(async (kind) => {
        if (kind.when?.(context) === false) return [];
        const { path } = objectsRequest(kind, project);
        const { list } = await api.request<ObjectList>({ path, signal });
        return list.map((object) => ({
          id: `${kind.id} ${object.id}`,
          label: object.title,
          icon: object.icon ?? kind.icon,
          detail: t(kind.label),
          open: ({ shell }: HostActions) => openObject(shell, ofKind(kind, object)),
        }));
      });
      const found = await Promise.allSettled(lists);
      // If one kind cannot be read, only its objects are missing; the side bar shows why.
      return found.flatMap((of) => (of.status === 'fulfilled' ? of.value : []));
    },
  };
}
