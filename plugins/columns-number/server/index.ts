import { defineServerPlugin } from '@trellis/sdk/server';
import { currency, duration, percent } from '../shared/index.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('columnTypes', currency);
    ctx.register('columnTypes', percent);
    ctx.register('columnTypes', duration);
  },
});
