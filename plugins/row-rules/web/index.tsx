import { defineWebPlugin, lazyPart, type DashboardTab } from '@trellis/sdk/web';
import type { ComponentProps } from 'react';
import './row-rules.css';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('dashboardTabs', {
      id: 'row-rules',
      label: 'Row rules',
      icon: 'filter',
      order: 65,
      permission: 'rowRuleSet',
      Component: lazyPart<ComponentProps<DashboardTab['Component']>>(() => import('./RowRulesTab.tsx')),
    });
  },
});
