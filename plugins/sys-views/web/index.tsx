import { defineWebPlugin } from '@trellis/sdk/web';
import { FieldsButton } from './FieldsButton.tsx';
import { FilterButton } from './FilterButton.tsx';
import { SortButton } from './SortButton.tsx';
import { ViewSwitcher } from './ViewSwitcher.tsx';
import './views.css';

export default defineWebPlugin({
  setup(ctx) {
    ctx.register('toolbarItems', {
      id: 'views',
      slot: 'view-toolbar-start',
      order: 10,
      Component: ViewSwitcher,
    });
    ctx.register('toolbarItems', {
      id: 'fields',
      slot: 'view-toolbar-start',
      order: 20,
      Component: FieldsButton,
    });
    ctx.register('toolbarItems', {
      id: 'filter',
      slot: 'view-toolbar-start',
      order: 30,
      Component: FilterButton,
    });
    ctx.register('toolbarItems', {
      id: 'sort',
      slot: 'view-toolbar-start',
      order: 40,
      Component: SortButton,
    });
  },
});
