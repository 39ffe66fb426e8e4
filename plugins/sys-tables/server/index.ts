import { defineServerPlugin } from '@trellis/sdk/server';
import { valueCopies } from './copy-values.ts';
import { foundTablesRoute } from './found-tables.ts';
import { syncRoutes } from './sync-routes.ts';
import { keptLooks } from './kept-looks.ts';
import { columnRoutes, tableRoutes } from './table-routes.ts';
import { trashRoutes } from './trash-routes.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('conditionHolders', keptLooks(ctx));
    const copies = valueCopies(ctx);
    ctx.register('taskKinds', copies.kind);
    ctx.routes(
      ...tableRoutes(ctx),
      ...columnRoutes(ctx, copies),
      ...trashRoutes(ctx),
      ...syncRoutes(ctx),
      foundTablesRoute(ctx),
    );
  },
});
