import { defineServerPlugin } from '@trellis/sdk/server';
import { syncRoutes } from './sync-routes.ts';
import { keptLooks } from './kept-looks.ts';
import { columnRoutes, tableRoutes } from './table-routes.ts';
import { trashRoutes } from './trash-routes.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('conditionHolders', keptLooks(ctx));
    ctx.routes(...tableRoutes(ctx), ...columnRoutes(ctx), ...trashRoutes(ctx), ...syncRoutes(ctx));
  },
});
