import { defineServerPlugin } from '@trellis/sdk/server';
import { docRoutes } from './doc-routes.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.routes(...docRoutes(ctx));
  },
});
