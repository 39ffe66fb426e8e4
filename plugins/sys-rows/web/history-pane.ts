import { lazyPart, type RowPane } from '@trellis/sdk/web';

/** A row's history, as a pane of the row panel. */
export const historyPane: RowPane = {
  id: 'history',
  label: 'History',
  icon: 'history',
  order: 20,
  permission: 'dataRead',
  Component: lazyPart(() => import('./RowHistory.tsx')),
};
