import { defineServerPlugin } from '@trellis/sdk/server';
import { permissions } from './permissions.ts';
import { columnRoutes, tableRoutes } from './table-routes.ts';

export default defineServerPlugin({
  setup(ctx) {
    for (const permission of permissions) ctx.register('permissions', permission);
    ctx.routes(...tableRoutes(ctx), ...columnRoutes(ctx));
  },
});
