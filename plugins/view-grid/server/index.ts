import { defineServerPlugin } from '@trellis/sdk/server';
import { gridView } from '../shared/index.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('viewTypes', gridView);
  },
});
