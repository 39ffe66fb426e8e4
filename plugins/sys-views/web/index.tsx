import { defineWebPlugin, lazyPart } from '@trellis/sdk/web';
import { FieldsButton } from './FieldsButton.tsx';
import { filterByColumn, FilterRequests } from './filter-requests.ts';
import { createFilterButton } from './FilterButton.tsx';
import { createSearchButton } from './SearchButton.tsx';
import { SearchRequests, searchRows } from './search-requests.ts';
import { SortButton } from './SortButton.tsx';
import { ViewSettingsButton } from './ViewSettingsButton.tsx';
import { ViewSwitcher } from './ViewSwitcher.tsx';
import { viewSearch } from './view-search.ts';
import './views.css';

const TableViews = lazyPart(() => import('./TableViews.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    const requests = new FilterRequests();
    const searches = new SearchRequests();
    ctx.register('commands', searchRows(searches));
    ctx.register('searchSources', viewSearch);
    ctx.register('menuItems', filterByColumn(requests));
    ctx.register('tableBranches', { id: 'views', Component: TableViews });
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
      part: 'fields',
      Component: FieldsButton,
    });
    ctx.register('toolbarItems', {
      id: 'filter',
      slot: 'view-toolbar-start',
      order: 30,
      part: 'filters',
      Component: createFilterButton(requests),
    });
    ctx.register('toolbarItems', {
      id: 'sort',
      slot: 'view-toolbar-start',
      order: 40,
      part: 'sorts',
      Component: SortButton,
    });
    ctx.register('toolbarItems', {
      id: 'search',
      slot: 'view-toolbar-end',
      order: 5,
      part: 'filters',
      Component: createSearchButton(searches),
    });
    ctx.register('toolbarItems', {
      id: 'view-settings',
      slot: 'view-toolbar-start',
      order: 50,
      Component: ViewSettingsButton,
    });
  },
});
