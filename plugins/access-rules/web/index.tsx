import { defineWebPlugin, lazyPart, type DashboardTab } from '@trellis/sdk/web';
import type { ComponentProps } from 'react';
import './visibility.css';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('dashboardTabs', {
      id: 'visibility',
      label: 'ACL',
      icon: 'eye',
      order: 60,
      permission: 'modelVisibilitySet',
      Component: lazyPart<ComponentProps<DashboardTab['Component']>>(() => import('./VisibilityTab.tsx')),
    });
  },
});
