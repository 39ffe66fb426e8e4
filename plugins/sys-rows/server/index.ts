import { defineServerPlugin } from '@trellis/sdk/server';
import { bulkRoutes } from './bulk-routes.ts';
import { csvExporter } from './csv-exporter.ts';
import { dataRoutes } from './data-routes.ts';
import { nestedRoutes } from './nested-routes.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('exporters', csvExporter);
    ctx.routes(...dataRoutes(ctx), ...bulkRoutes(ctx), ...nestedRoutes(ctx));
  },
});
