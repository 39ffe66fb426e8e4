import { defineServerPlugin } from '@trellis/sdk/server';
import { autoNumber, currency, duration, percent } from '../shared/index.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('columnTypes', autoNumber);
    ctx.register('columnTypes', currency);
    ctx.register('columnTypes', percent);
    ctx.register('columnTypes', duration);
  },
});
