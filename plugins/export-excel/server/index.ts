import { defineServerPlugin } from '@trellis/sdk/server';
import { excelExporter, v1Exporter } from './excel-exporter.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('exporters', excelExporter);
    ctx.register('exporters', v1Exporter);
  },
});
