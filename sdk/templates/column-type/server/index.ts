import { defineServerPlugin } from '@trellis/sdk/server';
import { myPlugin } from '../shared/index.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('columnTypes', myPlugin);
  },
});
