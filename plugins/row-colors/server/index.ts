import { defineServerPlugin } from '@trellis/sdk/server';
import { rowColors } from '../shared/index.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('viewAdditions', rowColors);
  },
});
