import type { MenuItem } from '@trellis/sdk/web';
import { columnPath } from './table-requests.ts';

/** The column menu's entry that makes this column the name of rows, wherever they are linked or opened. */
export const nameRows: MenuItem = {
  id: 'tables.name-rows',
  menu: 'column',
  label: 'Name the rows by this column',
  icon: 'bookmark',
  permission: 'columnSetAsPrimary',
  when: ({ column }) => column !== undefined && !column.pv,
  async run({ column, table, view }, { api, invalidate }) {
    if (column === undefined || table === undefined) return;
    await api.request({ method: 'POST', path: `${columnPath(column.id)}/primary` });
    invalidate([`table:${table.id}`, ...(view ? [`view:${view.id}`] : [])]);
  },
};
