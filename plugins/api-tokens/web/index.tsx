import { defineWebPlugin, lazyPart } from '@trellis/sdk/web';
import './tokens.css';

const OwnTokens = lazyPart(() => import('./OwnTokens.tsx'));
const ProjectTokens = lazyPart(() => import('./ProjectTokens.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('accountPanels', {
      id: 'tokens',
      label: 'API tokens',
      icon: 'key',
      order: 40,
      permission: 'ownTokens',
      Component: OwnTokens,
    });
    ctx.register('dashboardTabs', {
      id: 'api-tokens',
      label: 'API tokens',
      icon: 'key',
      order: 30,
      permission: 'apiTokenList',
      Component: ProjectTokens,
    });
  },
});
