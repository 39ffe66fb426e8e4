import { TableDialogsToken, defineWebPlugin, hasPermission, lazyPart } from '@trellis/sdk/web';
import { DialogRequests } from './dialog-requests.ts';
import { createDialogHost } from './DialogHost.tsx';
import { foreignTableSearch, tableSearch } from './table-search.ts';
import { copyAsValues, deleteColumn, duplicateColumn } from './column-items.ts';
import { nameRows } from './name-rows.ts';
import { strictNames } from './strict-names.ts';
import { createStartPage } from './StartPage.tsx';
import { createTablesPane } from './TablesPane.tsx';
import './tables.css';

const TableTab = lazyPart(() => import('./TableTab.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    const requests = new DialogRequests();
    ctx.provide(TableDialogsToken, () => requests);
    ctx.register('shellItems', {
      id: 'tables',
      slot: 'side-bar',
      order: 10,
      when: (shell) => shell.project !== undefined,
      Component: createTablesPane(requests),
    });
    ctx.register('shellItems', {
      id: 'table-dialogs',
      slot: 'overlays',
      Component: createDialogHost(requests),
    });
    ctx.register('searchSources', tableSearch);
    ctx.register('searchSources', foreignTableSearch);
    ctx.register('commands', {
      id: 'tables.create',
      label: 'Create table',
      icon: 'plus',
      category: 'Tables',
      permission: 'tableCreate',
      run({ project }) {
        if (project) requests.createTable(project);
      },
    });
    ctx.register('menuItems', nameRows);
    ctx.register('menuItems', duplicateColumn);
    ctx.register('menuItems', copyAsValues);
    ctx.register('menuItems', deleteColumn);
    for (const item of strictNames) ctx.register('menuItems', item);
    ctx.register('menuItems', {
      id: 'tables.sync',
      menu: 'project',
      label: 'Compare with the database',
      icon: 'sync',
      order: 80,
      // No other application changes the product's own database.
      permission: 'metaDiff',
      when: ({ project }) => project?.is_meta === false,
      run({ project }) {
        if (project) requests.openSync(project);
      },
    });
    ctx.register('menuItems', {
      id: 'tables.trash',
      menu: 'project',
      label: 'Trash',
      icon: 'trash',
      order: 90,
      // People who may not delete tables may be able to restore rows.
      when: ({ project }) =>
        hasPermission('tableDelete', project) || hasPermission('bulkDataInsert', project),
      run({ project }) {
        if (project) requests.openTrash(project);
      },
    });
    ctx.register('dashboardTabs', {
      id: 'table',
      label: 'Table',
      icon: 'table',
      perObject: true,
      Component: TableTab,
      Start: createStartPage(requests),
    });
  },
});
