import type { SearchSource } from '@trellis/sdk/web';

/** The views of the open table, for whoever searches by name. */
export const viewSearch: SearchSource = {
  id: 'views',
  label: 'Views',
  order: 20,
  when: ({ table }) => (table?.views?.length ?? 0) > 1,
  list({ table }) {
    if (table === undefined) return Promise.resolve([]);
    const views = table.views ?? [];
    return Promise.resolve(
      views.map(({ id, title, icon }) => ({
        id,
        label: title,
        icon: icon ?? 'eye',
        detail: table.title,
        open: ({ shell }) => shell.openTab({ type: 'table', key: table.id, name: table.title, view: id }),
      })),
    );
  },
};
