import { defineWebPlugin } from '@trellis/sdk/web';
import { viewTypeNumbers } from '@trellis/sdk/shared';
import { lazy } from 'react';

const GridView = lazy(() => import('./GridView.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.register('viewTypes', {
      id: 'grid',
      label: ctx.t('Grid'),
      icon: 'table',
      number: viewTypeNumbers.grid,
      View: GridView,
    });
  },
});
