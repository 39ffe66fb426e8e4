import { defineServerPlugin } from '@trellis/sdk/server';
import { permissions } from './permissions.ts';
import { filterRoutes } from './filter-routes.ts';
import { sortRoutes } from './sort-routes.ts';
import { viewRoutes } from './view-routes.ts';

export default defineServerPlugin({
  setup(ctx) {
    for (const permission of permissions) ctx.register('permissions', permission);
    ctx.routes(...viewRoutes(ctx), ...sortRoutes(ctx), ...filterRoutes(ctx));
  },
});
