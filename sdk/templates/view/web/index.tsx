import { defineWebPlugin, lazyPart } from '@trellis/sdk/web';
import { myPlugin } from '../shared/index.ts';

// Fetched when the first such view is opened.
const MyPluginView = lazyPart(async () => ({ default: (await import('./MyPluginView.tsx')).MyPluginView }));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('viewTypes', {
      ...myPlugin,
      icon: 'th-large',
      View: MyPluginView,
      // The buttons of the toolbar that its views are arranged by.
      uses: ['filters', 'sorts', 'fields'],
    });
  },
});
