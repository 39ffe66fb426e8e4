import { defineWebColumnType, defineWebPlugin } from '@trellis/sdk/web';
import { myPlugin } from '../shared/index.ts';
import { MyPluginCell } from './MyPluginCell.tsx';
import './my-plugin.css';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register(
      'columnTypes',
      // `text`: cells are edited in the grid's own text field, which reads by `parse`.
      defineWebColumnType({ ...myPlugin, Cell: MyPluginCell, Editor: 'text' }),
    );
  },
});
