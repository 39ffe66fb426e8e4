import { defineWebPlugin, lazyPart } from '@trellis/sdk/web';
import './storage.css';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('pluginPanels', {
      id: 'storage',
      permission: 'storageRead',
      shows: ({ contributes, state }) =>
        (contributes['storageAdapters']?.length ?? 0) > 0 && (state === 'enabled' || state === 'degraded'),
      Component: lazyPart(() => import('./StoragePanel.tsx')),
    });
  },
});
