import { defineWebPlugin, lazyPart } from '@trellis/sdk/web';
import { DevelopmentMistakes } from './DevelopmentMistakes.tsx';
import './app-store.css';

const AppStorePage = lazyPart(() => import('./AppStorePage.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('routes', {
      id: 'app-store',
      path: '/app-store',
      Component: AppStorePage,
      access: 'superAdmin',
      title: 'App store',
    });
    ctx.register('shellItems', {
      id: 'app-store.mistakes',
      slot: 'overlays',
      when: (shell) => shell.superAdmin,
      Component: DevelopmentMistakes,
    });
    ctx.register('menuItems', {
      id: 'app-store',
      menu: 'account',
      label: 'App store',
      icon: 'th-large',
      order: 30,
      when: (shell) => shell.superAdmin,
      run: (_context, { navigate }) => navigate('/app-store'),
    });
  },
});
