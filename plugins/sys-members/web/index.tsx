import { defineWebPlugin, lazyPart } from '@trellis/sdk/web';
import { leaveProject } from './leave-project.ts';
import './team.css';

const TeamTab = lazyPart(() => import('./TeamTab.tsx'));
const ShareButton = lazyPart(() => import('./ShareButton.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('dashboardTabs', {
      id: 'team',
      label: 'Team & Auth',
      icon: 'users',
      order: 20,
      permission: 'userList',
      Component: TeamTab,
    });
    ctx.register('shellItems', {
      id: 'share',
      slot: 'top-bar-end',
      order: 10,
      folds: true,
      permission: 'userInvite',
      when: (shell) => shell.project !== undefined,
      Component: ShareButton,
    });
    ctx.register('accountPanels', {
      id: 'server-projects',
      label: 'All projects',
      icon: 'folder',
      order: 95,
      permission: 'projectRescue',
      Component: lazyPart(() => import('./ServerProjectsPanel.tsx')),
    });
    ctx.register('menuItems', {
      id: 'leave-project',
      menu: 'project',
      label: 'Leave project',
      icon: 'sign-out',
      order: 900,
      danger: true,
      permission: 'projectLeave',
      // Owners have to transfer their project first.
      when: ({ project }) => project?.role !== 'owner',
      run: leaveProject,
    });
  },
});
