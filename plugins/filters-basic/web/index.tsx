import { defineWebPlugin } from '@trellis/sdk/web';
import { filterOperators } from '../shared/index.ts';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    for (const operator of filterOperators) ctx.register('filterOperators', operator);
  },
});
