import { defineWebPlugin, lazyPart, usualParts } from '@trellis/sdk/web';
import { kanbanView } from '../shared/index.ts';
import { missingColumns } from './missing-columns.ts';

const View = lazyPart(() => import('./KanbanView.tsx'));
const SettingsPanel = lazyPart(() => import('./KanbanSettings.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('viewTypes', {
      ...kanbanView,
      icon: 'objects-column',
      View,
      SettingsPanel,
      missingColumns,
      uses: [...usualParts, 'colors'],
    });
  },
});
