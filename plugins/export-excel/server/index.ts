import { defineServerPlugin } from '@trellis/sdk/server';
import { excelExporter } from './excel-exporter.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('exporters', excelExporter);
  },
});
