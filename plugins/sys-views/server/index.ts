import { defineServerPlugin } from '@trellis/sdk/server';
import { filterRoutes } from './filter-routes.ts';
import { groupRoutes } from './group-routes.ts';
import { sortRoutes } from './sort-routes.ts';
import { tellMakers } from './view-makers.ts';
import { viewRoutes } from './view-routes.ts';

export default defineServerPlugin({
  setup(ctx) {
    tellMakers(ctx);
    ctx.routes(...viewRoutes(ctx), ...groupRoutes(ctx), ...sortRoutes(ctx), ...filterRoutes(ctx));
  },
});
