import { defineWebPlugin, lazyPart } from '@trellis/sdk/web';

const GridView = lazyPart(() => import('./GridView.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('viewTypes', { id: 'grid', label: 'Grid', icon: 'table', View: GridView });
  },
});
