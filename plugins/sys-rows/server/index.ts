import { defineServerPlugin } from '@trellis/sdk/server';
import { bulkRoutes } from './bulk-routes.ts';
import { dataRoutes } from './data-routes.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.routes(...dataRoutes(ctx), ...bulkRoutes(ctx));
  },
});
