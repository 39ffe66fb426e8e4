import { defineServerPlugin } from '@trellis/sdk/server';
import { taskRoutes } from './task-routes.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.routes(...taskRoutes(ctx));
  },
});
