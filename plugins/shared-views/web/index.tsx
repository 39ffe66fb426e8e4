import { defineWebPlugin, lazyPart, type DashboardTab } from '@trellis/sdk/web';
import type { ComponentProps } from 'react';
import './shared-views.css';

/**
 * The address words of links whose views are drawn here by their own types. A type with its own page registers the route itself.
 */
const words = ['view', 'gallery', 'kanban', 'calendar'] as const;

const VisitPage = lazyPart(() => import('./VisitPage.tsx'));
const ShareButton = lazyPart(() => import('./ShareButton.tsx'));
const LinksTab = lazyPart<ComponentProps<DashboardTab['Component']>>(() => import('./LinksTab.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    for (const word of words)
      ctx.register('routes', {
        id: `shared-${word}`,
        path: `/nc/${word}/:uuid`,
        Component: VisitPage,
        access: 'everyone',
        layout: 'public',
        framed: true,
      });
    ctx.register('dashboardTabs', {
      id: 'shared-views',
      label: 'Shared views',
      icon: 'share-alt',
      order: 55,
      permission: 'shareViewList',
      Component: LinksTab,
    });
    ctx.register('toolbarItems', {
      id: 'share',
      slot: 'view-toolbar-end',
      order: 20,
      permission: 'shareView',
      Component: ShareButton,
    });
  },
});
