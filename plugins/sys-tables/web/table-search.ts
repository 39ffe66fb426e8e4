import type { TableEntity } from '@trellis/sdk/shared';
import type { SearchSource } from '@trellis/sdk/web';
import { tablesRequest } from './table-requests.ts';

/** The tables of the open project, for whoever searches by name. */
export const tableSearch: SearchSource = {
  id: 'tables',
  label: 'Tables',
  order: 10,
  when: ({ project }) => project !== undefined,
  async list({ project }, { api, signal }) {
    if (project === undefined) return [];
    const { list } = await api.request<{ readonly list: readonly TableEntity[] }>({
      ...tablesRequest(project.id),
      signal,
    });
    return list.map(({ id, title }) => ({
      id,
      label: title,
      icon: 'table',
      open: ({ shell }) => shell.openTab({ type: 'table', key: id, name: title }),
    }));
  },
};
