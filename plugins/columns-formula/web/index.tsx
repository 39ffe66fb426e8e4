import { defineWebColumnType, defineWebPlugin, type OptionsPanelProps } from '@trellis/sdk/web';
import { Skeleton } from '@trellis/sdk/web/ui';
import { lazy, Suspense } from 'react';
import { button, formula, type ButtonOptions as Options, type FormulaOptions } from '../shared/index.ts';
import { createButtonCell, createButtonField } from './ButtonCell.tsx';
import { FormulaCell } from './FormulaCell.tsx';
import { showFormula } from './show-formula.ts';
import { Presses } from './presses.ts';
import './columns-formula.css';

const Panel = lazy(() => import('./FormulaOptionsPanel.tsx'));

/** The editor is loaded when it is opened: it contains all functions. */
function OptionsPanel(props: OptionsPanelProps<FormulaOptions>) {
  return (
    <Suspense fallback={<Skeleton />}>
      <Panel {...props} />
    </Suspense>
  );
}

const ButtonPanel = lazy(() => import('./ButtonOptionsPanel.tsx'));

function ButtonOptions(props: OptionsPanelProps<Options>) {
  return (
    <Suspense fallback={<Skeleton />}>
      <ButtonPanel {...props} />
    </Suspense>
  );
}

const formulaColumn = defineWebColumnType({
  ...formula,
  local: { show: showFormula },
  Cell: FormulaCell,
  Editor: 'text',
  OptionsPanel,
});

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.registries.define('formulaFunctions', {
      absentPolicy: 'The formula says what is missing, and keeps its text.',
    });
    const presses = new Presses(ctx.api);
    ctx.register('columnTypes', formulaColumn);
    ctx.register(
      'columnTypes',
      defineWebColumnType({
        ...button,
        Cell: createButtonCell(presses),
        Field: createButtonField(presses),
        Editor: 'text',
        OptionsPanel: ButtonOptions,
        open: (cell) => void presses.press(cell),
        align: 'center',
      }),
    );
  },
});
