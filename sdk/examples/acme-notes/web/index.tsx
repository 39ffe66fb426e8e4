import { type DashboardTab, defineWebPlugin, lazyPart } from '@trellis/sdk/web';
import type { ComponentProps } from 'react';
import { notesKind, notesPath } from '../shared/index.ts';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('objectKinds', {
      id: notesKind,
      label: 'Notes',
      icon: 'file-edit',
      list: ({ id }) => notesPath(id),
      // The button beside the heading.
      create: {
        label: 'Write a note about the open table',
        permission: 'tableUpdate',
        when: ({ table }) => table !== undefined,
        run({ table }, { shell }) {
          if (table !== undefined) shell.openTab({ type: notesKind, key: table.id, name: table.title });
        },
      },
    });
    // What opens one of them, by the id of its kind.
    ctx.register('dashboardTabs', {
      id: notesKind,
      label: 'Note',
      icon: 'file-edit',
      perObject: true,
      Component: lazyPart<ComponentProps<DashboardTab['Component']>>(() => import('./NoteTab.tsx')),
    });
  },
});
