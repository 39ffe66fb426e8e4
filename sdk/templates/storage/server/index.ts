import { defineServerPlugin, OutboundToken } from '@trellis/sdk/server';
import { createFileServer } from './file-server.ts';

export default defineServerPlugin({
  setup(ctx) {
    const files = createFileServer(ctx.get(OutboundToken), () => ({
      endpoint: String(ctx.settings.current['endpoint']),
      token: String(ctx.settings.current['token']),
    }));
    ctx.register('storageAdapters', {
      // Stored with every file that it keeps, so it never changes.
      id: 'my-plugin',
      label: 'My plugin',
      isConfigured: () => Boolean(ctx.settings.current['endpoint'] && ctx.settings.current['token']),
      put: (key, content, _facts, { signal }) => files.put(key, content, signal),
      get: (key, { signal }) => files.get(key, signal),
      remove: (key, { signal }) => files.remove(key, signal),
    });
  },
});
