import { defineWebPlugin, lazyPart, RowPanelToken, type RowReaderProps } from '@trellis/sdk/web';
import { copyLink } from './copy-link.ts';
import { DownloadButton } from './DownloadButton.tsx';
import { historyPane } from './history-pane.ts';
import { ImportButton } from './ImportButton.tsx';
import { PanelRequests } from './panel-requests.ts';
import { createRowPanelHost } from './RowPanelHost.tsx';
import { undoCommands } from './undo-commands.ts';
import { UndoButtons } from './UndoButtons.tsx';
import './rows.css';

const Reader = lazyPart<RowReaderProps>(() => import('./RowReader.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    const requests = new PanelRequests();
    ctx.provide(RowPanelToken, () => ({ open: (row) => requests.open(row), Reader }));
    ctx.register('shellItems', {
      id: 'row-panel',
      slot: 'overlays',
      Component: createRowPanelHost(requests),
    });
    ctx.register('trashSections', {
      id: 'deleted-rows',
      label: 'Rows',
      permission: 'deletionList',
      Component: lazyPart(() => import('./DeletedRows.tsx')),
    });
    ctx.register('cellActions', copyLink);
    ctx.register('rowPanes', historyPane);
    ctx.register('commands', undoCommands.undo);
    ctx.register('commands', undoCommands.redo);
    ctx.register('toolbarItems', {
      id: 'undo',
      slot: 'view-toolbar-end',
      order: 10,
      when: ({ rows }) => rows !== undefined,
      Component: UndoButtons,
    });
    ctx.register('toolbarItems', {
      id: 'import',
      slot: 'view-toolbar-end',
      order: 80,
      Component: ImportButton,
    });
    ctx.register('exportFormats', { id: 'csv', label: 'CSV', extension: 'csv', icon: 'file', order: 10 });
    ctx.register('toolbarItems', {
      id: 'download',
      slot: 'view-toolbar-end',
      order: 90,
      Component: DownloadButton,
    });
  },
});
