import { defineWebPlugin, lazyPart, type DashboardTab } from '@trellis/sdk/web';
import type { ComponentProps } from 'react';
import './automations.css';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.registries.define('automationInputParts', {
      absentPolicy: 'The setting is not shown, and stays as it is.',
    });
    ctx.register('dashboardTabs', {
      id: 'automations',
      label: 'Automations',
      icon: 'bolt',
      order: 55,
      permission: 'automationList',
      Component: lazyPart<ComponentProps<DashboardTab['Component']>>(() => import('./AutomationsTab.tsx')),
    });
  },
});
