import { defineServerPlugin } from '@trellis/sdk/server';
import { createTime, lastModifiedTime, time, year } from '../shared/index.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('columnTypes', time);
    ctx.register('columnTypes', year);
    ctx.register('columnTypes', createTime);
    ctx.register('columnTypes', lastModifiedTime);
  },
});
