import { defineServerPlugin, OutboundToken, type ServerPluginContext } from '@trellis/sdk/server';
import { createFileServer } from './file-server.ts';

/** What `plugin.json` describes under `settings`. */
interface Settings {
  readonly endpoint: string;
  readonly token: string;
}

export default defineServerPlugin({
  setup(ctx: ServerPluginContext<Settings>) {
    const files = createFileServer(ctx.get(OutboundToken), () => ctx.settings.current);
    ctx.register('storageAdapters', {
      // Stored with every file that it keeps, so it never changes.
      id: 'my-plugin',
      label: 'My plugin',
      isConfigured: () => Boolean(ctx.settings.current.endpoint && ctx.settings.current.token),
      put: (key, content, _facts, { signal }) => files.put(key, content, signal),
      get: (key, { signal }) => files.get(key, signal),
      remove: (key, { signal }) => files.remove(key, signal),
    });
  },
});
