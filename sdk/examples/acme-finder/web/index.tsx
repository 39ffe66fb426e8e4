import { defineWebPlugin, RowPanelToken } from '@trellis/sdk/web';
import { FinderButton } from './FinderButton.tsx';
import { createRowSearch } from './row-search.ts';
import { TypesOfTable } from './TypesOfTable.tsx';

export default defineWebPlugin({
  setup(ctx) {
    ctx.register(
      'searchSources',
      createRowSearch((row) => ctx.find(RowPanelToken)?.open(row)),
    );
    ctx.register('toolbarItems', { id: 'acme-finder', slot: 'view-toolbar-end', Component: FinderButton });
    ctx.register('tableBranches', { id: 'acme-finder', Component: TypesOfTable });
  },
});
