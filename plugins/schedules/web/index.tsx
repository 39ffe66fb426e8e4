import { defineWebPlugin, lazyPart, type DashboardTab } from '@trellis/sdk/web';
import type { ComponentProps } from 'react';
import CronsButton from './CronsButton.tsx';
import './schedules.css';

const SchedulesTab = lazyPart<ComponentProps<DashboardTab['Component']>>(() => import('./SchedulesTab.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('dashboardTabs', {
      id: 'schedules',
      label: 'Crons',
      icon: 'clock',
      order: 58,
      permission: 'scheduleList',
      Component: SchedulesTab,
    });
    ctx.register('shellItems', {
      id: 'schedules',
      slot: 'top-bar-end',
      order: 20,
      folds: true,
      permission: 'scheduleList',
      when: (shell) => shell.project !== undefined,
      Component: CronsButton,
    });
  },
});
