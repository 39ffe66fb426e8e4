import { defineWebPlugin, lazyPart, usualParts } from '@trellis/sdk/web';
import { timelineView } from '../shared/index.ts';
import { missingColumns } from './missing-columns.ts';

const View = lazyPart(() => import('./TimelineView.tsx'));
const SettingsPanel = lazyPart(() => import('./TimelineSettings.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('viewTypes', {
      ...timelineView,
      icon: 'align-left',
      View,
      SettingsPanel,
      missingColumns,
      uses: [...usualParts, 'colors'],
    });
  },
});
