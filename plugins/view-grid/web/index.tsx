import { defineWebPlugin } from '@trellis/sdk/web';
import { lazy } from 'react';

const GridView = lazy(() => import('./GridView.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.register('viewTypes', { id: 'grid', label: 'Grid', icon: 'table', View: GridView });
  },
});
