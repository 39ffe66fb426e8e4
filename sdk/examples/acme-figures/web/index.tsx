import { defineWebPlugin } from '@trellis/sdk/web';
import { multiple, spread } from '../shared/index.ts';

// By these the page offers the figure in the footers of views, and the comparison in filters.
export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('aggregations', spread);
    ctx.register('filterOperators', multiple);
  },
});
