import { defineWebColumnType, defineWebPlugin } from '@trellis/sdk/web';
import { formula } from '../shared/index.ts';
import { FormulaCell } from './FormulaCell.tsx';
import './columns-formula.css';

const formulaColumn = defineWebColumnType({ ...formula, Cell: FormulaCell, Editor: 'text' });

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('columnTypes', formulaColumn);
  },
});
