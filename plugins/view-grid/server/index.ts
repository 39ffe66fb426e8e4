import { defineServerPlugin } from '@trellis/sdk/server';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('viewTypes', { id: 'grid', label: 'Grid' });
  },
});
