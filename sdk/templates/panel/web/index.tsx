import { defineWebPlugin, lazyPart } from '@trellis/sdk/web';

// Fetched when they are opened.
const MyPluginPage = lazyPart(async () => ({ default: (await import('./MyPluginPage.tsx')).MyPluginPage }));
const MyPluginPanel = lazyPart(async () => ({
  default: (await import('./MyPluginPanel.tsx')).MyPluginPanel,
}));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('routes', {
      id: 'my-plugin',
      path: '/my-plugin',
      Component: MyPluginPage,
      access: 'signedIn',
      title: 'My plugin',
    });
    ctx.register('menuItems', {
      id: 'my-plugin.open',
      menu: 'account',
      label: 'My plugin',
      icon: 'bookmark',
      run: (_context, { navigate }) => navigate('/my-plugin'),
    });
    ctx.register('settingsPanels', {
      id: 'my-plugin.settings',
      label: 'My plugin',
      icon: 'bookmark',
      Component: MyPluginPanel,
    });
  },
});
