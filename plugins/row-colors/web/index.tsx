import { defineWebPlugin } from '@trellis/sdk/web';
import { rowColoring } from './coloring.ts';
import { ColorsButton } from './ColorsButton.tsx';
import './row-colors.css';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('rowColorings', rowColoring);
    ctx.register('toolbarItems', {
      id: 'row-colors',
      slot: 'view-toolbar-start',
      order: 47,
      part: 'colors',
      Component: ColorsButton,
    });
  },
});
