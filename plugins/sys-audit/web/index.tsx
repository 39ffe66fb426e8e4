import { defineWebPlugin, lazyPart, type DashboardTab } from '@trellis/sdk/web';
import type { ComponentProps } from 'react';
import './audit.css';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('dashboardTabs', {
      id: 'audit',
      label: 'Audit',
      icon: 'history',
      order: 80,
      permission: 'auditList',
      Component: lazyPart<ComponentProps<DashboardTab['Component']>>(() => import('./AuditTab.tsx')),
    });
    ctx.register('accountPanels', {
      id: 'audit',
      label: 'Audit',
      icon: 'history',
      order: 95,
      permission: 'serverAuditList',
      Component: lazyPart(() => import('./ServerAuditPanel.tsx')),
    });
  },
});
