import { defineWebPlugin, lazyPart, usualParts } from '@trellis/sdk/web';
import { calendarView } from '../shared/index.ts';
import { missingColumns } from './missing-columns.ts';

const View = lazyPart(() => import('./CalendarView.tsx'));
const SettingsPanel = lazyPart(() => import('./CalendarSettings.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('viewTypes', {
      ...calendarView,
      icon: 'calendar',
      View,
      SettingsPanel,
      missingColumns,
      uses: [...usualParts, 'colors'],
    });
  },
});
