import { defineServerPlugin } from '@trellis/sdk/server';
import { filterOperators } from '../shared/index.ts';

export default defineServerPlugin({
  setup(ctx) {
    for (const operator of filterOperators) ctx.register('filterOperators', operator);
  },
});
