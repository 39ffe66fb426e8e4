import { defineWebPlugin, hasPermission, lazyPart, type DashboardTab } from '@trellis/sdk/web';
import type { ComponentProps } from 'react';
import { objectKinds } from '../shared/index.ts';
import { wordsOf } from '../shared/kinds.ts';
import { projectObjectsPath } from './object-requests.ts';
import './database-objects.css';

type TabProps = ComponentProps<DashboardTab['Component']>;

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('dashboardTabs', {
      id: 'database-objects',
      label: 'Database objects',
      icon: 'code',
      order: 72,
      permission: 'databaseOpen',
      when: ({ project }) => hasPermission('baseUpdate', project),
      Component: lazyPart<TabProps>(() => import('./ObjectsTab.tsx')),
    });
    ctx.register('objectKinds', {
      id: 'database-objects',
      label: 'Database objects',
      icon: 'code',
      order: 200,
      folded: true,
      permission: 'databaseOpen',
      when: ({ project }) =>
        hasPermission('baseUpdate', project) && project?.bases?.some((base) => !base.is_meta) === true,
      list: projectObjectsPath,
    });
    const Component = lazyPart<TabProps>(() => import('./ObjectTab.tsx'));
    for (const kind of objectKinds) {
      const { tab, label, icon } = wordsOf[kind];
      ctx.register('dashboardTabs', { id: tab, label, icon, perObject: true, Component });
    }
  },
});
