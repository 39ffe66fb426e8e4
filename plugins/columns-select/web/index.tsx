import { defineWebColumnType, defineWebPlugin } from '@trellis/sdk/web';
import { multiSelect, selectOperators, singleSelect } from '../shared/index.ts';
import { MultiSelectEditor, SingleSelectEditor } from './SelectEditor.tsx';
import { MultiSelectCell, SingleSelectCell } from './SelectCell.tsx';
import { OptionsFilter } from './OptionsFilter.tsx';
import { SelectOptionsPanel } from './SelectOptionsPanel.tsx';
import './columns-select.css';

const types = [
  defineWebColumnType({
    ...singleSelect,
    Cell: SingleSelectCell,
    Editor: SingleSelectEditor,
    OptionsPanel: SelectOptionsPanel,
  }),
  defineWebColumnType({
    ...multiSelect,
    Cell: MultiSelectCell,
    Editor: MultiSelectEditor,
    OptionsPanel: SelectOptionsPanel,
  }),
];

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    for (const operator of selectOperators)
      ctx.register('filterOperators', { ...operator, ValueInput: OptionsFilter });
    for (const type of types) ctx.register('columnTypes', type);
  },
});
