import type { TableEntity } from '@trellis/sdk/shared';
import { addressOfTab, type SearchSource } from '@trellis/sdk/web';
import type { FoundTable } from '../shared/index.ts';
import { tablesRequest } from './table-requests.ts';

/** The open project's tables, for searches by name. */
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

/** The tables of all other projects of the person; the server searches them. */
export const foreignTableSearch: SearchSource = {
  id: 'foreign-tables',
  label: 'Tables of other projects',
  order: 40,
  list: () => Promise.resolve([]),
  async find(text, { project }, { api, signal }) {
    const { list } = await api.request<{ readonly list: readonly FoundTable[] }>({
      path: '/api/v1/plugins/sys-tables/found-tables',
      // No table has a longer title.
      query: { text: text.slice(0, 255), ...(project !== undefined && { without: project.id }) },
      signal,
    });
    return list.map(({ id, title, project: of }) => ({
      id,
      label: title,
      icon: 'table',
      detail: of.title,
      open: ({ navigate }) => navigate(addressOfTab(of.id, { type: 'table', key: id, name: title })),
    }));
  },
};
