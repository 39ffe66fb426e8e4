import { defineWebPlugin, lazyPart, type DashboardTab } from '@trellis/sdk/web';
import type { ComponentProps } from 'react';
import CronsButton from './CronsButton.tsx';
import './schedules.css';

const BackupProject = lazyPart(() => import('./BackupProject.tsx'));
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
    ctx.register('projectSources', {
      id: 'backup',
      label: 'Restore a backup',
      description: 'Make a project of an archive that a schedule of a project has written.',
      icon: 'replay',
      order: 30,
      permission: 'projectCreate',
      Component: BackupProject,
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
