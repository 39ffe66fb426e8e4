import { defineWebPlugin, lazyPart } from '@trellis/sdk/web';
import NoticeBell from './NoticeBell.tsx';
import './notifications.css';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('shellItems', {
      id: 'notifications',
      slot: 'top-bar-end',
      order: 95,
      when: (shell) => shell.signedIn,
      Component: NoticeBell,
    });
    ctx.register('accountPanels', {
      id: 'notifications',
      label: 'Notifications',
      icon: 'bell',
      order: 30,
      permission: 'ownAccount',
      Component: lazyPart(() => import('./WishesPanel.tsx')),
    });
  },
});
