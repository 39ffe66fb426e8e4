import {
  keyOfRow,
  nameOfRow,
  rowsByName,
  type FoundPage,
  type OpenedRow,
  type SearchSource,
} from '@trellis/sdk/web';

/** Rows that are found for one text; whoever wants another one types more of it. */
const most = 20;

/**
 * Finds rows of the open table in the palette. A table has too many to list, so they are asked for by what is typed.
 *
 * @param openRow shows the row that is chosen
 */
export function createRowSearch(openRow: (row: OpenedRow) => void): SearchSource {
  return {
    id: 'acme-finder',
    label: 'Rows of the open table',
    order: 50,
    when: ({ table }) => table !== undefined,
    list: () => Promise.resolve([]),
    async find(text, { project, table }, { api, signal }) {
      if (project === undefined || table === undefined) return [];
      const request = rowsByName(project, table, { search: text, limit: most });
      const { list } = await api.request<FoundPage>({ ...request, signal });
      return list.flatMap((row) => {
        const rowKey = keyOfRow(table, row);
        if (rowKey === undefined) return [];
        return {
          id: rowKey,
          label: nameOfRow(table, row),
          icon: 'list',
          detail: table.title,
          open: () => openRow({ project, table, rowKey }),
        };
      });
    },
  };
}
