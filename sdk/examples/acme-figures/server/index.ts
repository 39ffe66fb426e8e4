import { defineServerPlugin } from '@trellis/sdk/server';
import { multiple, spread } from '../shared/index.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('aggregations', spread);
    ctx.register('filterOperators', multiple);
  },
});
