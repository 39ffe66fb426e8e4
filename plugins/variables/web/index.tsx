import { defineWebPlugin, lazyPart, type DashboardTab } from '@trellis/sdk/web';
import type { ComponentProps } from 'react';
import './variables.css';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('dashboardTabs', {
      id: 'variables',
      label: 'Variables',
      icon: 'hashtag',
      order: 57,
      permission: 'variableUse',
      Component: lazyPart<ComponentProps<DashboardTab['Component']>>(() => import('./VariablesTab.tsx')),
    });
  },
});
