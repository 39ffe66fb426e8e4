import { defineWebPlugin } from '@trellis/sdk/web';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
  },
});
