import { defineServerPlugin } from '@trellis/sdk/server';
import { serverRoutes } from './server-routes.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.routes(...serverRoutes(ctx));
  },
});
