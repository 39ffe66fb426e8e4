import { type DashboardTab, defineWebPlugin, lazyPart } from '@trellis/sdk/web';
import type { ComponentProps } from 'react';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    // People find it in the menu of a project.
    ctx.register('dashboardTabs', {
      id: 'acme-journal',
      label: 'Journal',
      icon: 'calendar',
      // Fetched when it is opened.
      Component: lazyPart<ComponentProps<DashboardTab['Component']>>(() => import('./JournalTab.tsx')),
    });
    // By the id of the format that the server half writes.
    ctx.register('exportFormats', {
      id: 'acme-lines',
      label: 'Lines of JSON',
      extension: 'jsonl',
      icon: 'align-left',
    });
  },
});
