import { defineServerPlugin } from '@trellis/sdk/server';
import { cacheRoutes } from './cache-routes.ts';
import { importRoutes } from './import-routes.ts';
import { serverRoutes } from './server-routes.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.routes(...serverRoutes(ctx), ...cacheRoutes(ctx), ...importRoutes(ctx));
  },
});
