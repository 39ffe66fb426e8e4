import { defineServerPlugin } from '@trellis/sdk/server';
import { bulkRoutes } from './bulk-routes.ts';
import { dataRoutes } from './data-routes.ts';
import { permissions } from './permissions.ts';

export default defineServerPlugin({
  setup(ctx) {
    for (const permission of permissions) ctx.register('permissions', permission);
    ctx.routes(...dataRoutes(ctx), ...bulkRoutes(ctx));
  },
});
