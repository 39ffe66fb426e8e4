import { defineWebPlugin } from '@trellis/sdk/web';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('exportFormats', {
      id: 'xlsx',
      label: 'Excel (.xlsx)',
      extension: 'xlsx',
      icon: 'file-excel',
      order: 20,
    });
  },
});
