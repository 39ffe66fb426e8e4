import type { SearchSource } from '@trellis/sdk/web';
import type { ViewName } from '../shared/index.ts';

/** The open project's views, for searches by name: the open table's views first; tables with a single view are omitted. */
export const viewSearch: SearchSource = {
  id: 'views',
  label: 'Views',
  order: 20,
  when: ({ project }) => project !== undefined,
  async list({ project, table: open }, { api, signal }) {
    if (project === undefined) return [];
    const path = `/api/v1/plugins/sys-views/projects/${encodeURIComponent(project.id)}/views`;
    const names = await api.request<readonly ViewName[]>({ path, signal });
    const counts = new Map<string, number>();
    for (const { table } of names) counts.set(table.id, (counts.get(table.id) ?? 0) + 1);
    const isOpen = ({ table }: ViewName) => table.id === open?.id;
    return names
      .filter(({ table }) => (counts.get(table.id) ?? 0) > 1)
      .toSorted((one, other) => Number(isOpen(other)) - Number(isOpen(one)))
      .map(({ id, title, icon, table }) => ({
        id,
        label: title,
        icon: icon ?? 'eye',
        detail: table.title,
        open: ({ shell }) => shell.openTab({ type: 'table', key: table.id, name: table.title, view: id }),
      }));
  },
};
