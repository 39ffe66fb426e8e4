import { defineServerPlugin } from '@trellis/sdk/server';
import { addressRoute } from './address-route.ts';
import { baseRoutes } from './base-routes.ts';
import { fileRoutes } from './file-routes.ts';
import { permissions } from './permissions.ts';
import { projectRoutes } from './project-routes.ts';
import { summaryRoute } from './summary-route.ts';

export default defineServerPlugin({
  setup(ctx) {
    for (const permission of permissions) ctx.register('permissions', permission);
    ctx.routes(
      ...projectRoutes(ctx),
      ...baseRoutes(ctx),
      addressRoute(),
      ...fileRoutes(ctx),
      summaryRoute(ctx),
    );
  },
});
