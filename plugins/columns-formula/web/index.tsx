import { defineWebColumnType, defineWebPlugin, type OptionsPanelProps } from '@trellis/sdk/web';
import { Skeleton } from '@trellis/sdk/web/ui';
import { lazy, Suspense } from 'react';
import type { StorageKind } from '@trellis/sdk/shared';
import { formula, type FormulaOptions, type Kind } from '../shared/index.ts';
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

const kinds: Readonly<Record<Kind, StorageKind | undefined>> = {
  number: 'decimal',
  text: 'text',
  date: 'date',
  datetime: 'datetime',
  boolean: 'boolean',
  nothing: undefined,
  any: undefined,
};

const formulaColumn = defineWebColumnType({
  ...formula,
  Cell: FormulaCell,
  Editor: 'text',
  OptionsPanel,
  kindOf: ({ meta, colOptions }) => {
    const now = (colOptions ?? {}) as { readonly result?: Kind };
    const saved = (meta ?? {}) as Partial<FormulaOptions>;
    return kinds[now.result ?? saved.result ?? 'any'];
  },
});

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('columnTypes', formulaColumn);
  },
});
