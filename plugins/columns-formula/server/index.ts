import { defineServerPlugin } from '@trellis/sdk/server';
import { createFormulaColumn } from './formula-column.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('columnTypes', createFormulaColumn(ctx.registry('columnTypes')));
  },
});
