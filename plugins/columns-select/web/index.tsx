import { defineWebColumnType, defineWebPlugin, type ApiClient } from '@trellis/sdk/web';
import { multiSelect, selectOperators, singleSelect } from '../shared/index.ts';
import { adoptOptions } from './adopt-options.ts';
import { MultiSelectEditor, SingleSelectEditor } from './SelectEditor.tsx';
import { MultiSelectCell, SingleSelectCell } from './SelectCell.tsx';
import { OptionsFilter } from './OptionsFilter.tsx';
import { SelectOptionsPanel } from './SelectOptionsPanel.tsx';
import './columns-select.css';

const typesOf = (api: ApiClient) => [
  defineWebColumnType({
    ...singleSelect,
    Cell: SingleSelectCell,
    Editor: SingleSelectEditor,
    adopt: adoptOptions(api, false),
    OptionsPanel: SelectOptionsPanel,
  }),
  defineWebColumnType({
    ...multiSelect,
    Cell: MultiSelectCell,
    Editor: MultiSelectEditor,
    adopt: adoptOptions(api, true),
    OptionsPanel: SelectOptionsPanel,
  }),
];

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    for (const operator of selectOperators)
      ctx.register('filterOperators', { ...operator, ValueInput: OptionsFilter });
    for (const type of typesOf(ctx.api)) ctx.register('columnTypes', type);
  },
});
