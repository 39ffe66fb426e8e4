import { defineWebPlugin } from '@trellis/sdk/web';
import { filterOperators } from '../shared/index.ts';

export default defineWebPlugin({
  setup(ctx) {
    for (const operator of filterOperators) ctx.register('filterOperators', operator);
  },
});
