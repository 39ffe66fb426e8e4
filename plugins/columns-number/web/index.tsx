import { defineWebColumnType, defineWebPlugin } from '@trellis/sdk/web';
import { currency, duration, percent } from '../shared/index.ts';
import { CurrencyCell, DurationCell, PercentCell } from './cells.tsx';
import { CurrencyOptionsPanel } from './CurrencyOptionsPanel.tsx';
import './columns-number.css';

const types = [
  defineWebColumnType({
    ...currency,
    Cell: CurrencyCell,
    Editor: 'text',
    OptionsPanel: CurrencyOptionsPanel,
    align: 'end',
  }),
  defineWebColumnType({ ...percent, Cell: PercentCell, Editor: 'text', align: 'end' }),
  defineWebColumnType({ ...duration, Cell: DurationCell, Editor: 'text', align: 'end' }),
];

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    for (const type of types) ctx.register('columnTypes', type);
  },
});
