import { defineWebColumnType, defineWebPlugin, type OptionsPanelProps } from '@trellis/sdk/web';
import { Skeleton } from '@trellis/sdk/web/ui';
import { lazy, Suspense } from 'react';
import { formula, type FormulaOptions } from '../shared/index.ts';
import { FormulaCell } from './FormulaCell.tsx';
import './columns-formula.css';

const Panel = lazy(() => import('./FormulaOptionsPanel.tsx'));

/** The editor is fetched when somebody opens it: it knows all functions. */
function OptionsPanel(props: OptionsPanelProps<FormulaOptions>) {
  return (
    <Suspense fallback={<Skeleton />}>
      <Panel {...props} />
    </Suspense>
  );
}

const formulaColumn = defineWebColumnType({ ...formula, Cell: FormulaCell, Editor: 'text', OptionsPanel });

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('columnTypes', formulaColumn);
  },
});
