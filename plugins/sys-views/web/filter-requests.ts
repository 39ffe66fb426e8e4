import type { MenuItem } from '@trellis/sdk/web';

type Take = (columnId: string) => void;

/** Takes wishes for a filter by a column from menus to the panel of a view's filters. */
export class FilterRequests {
  readonly #takers = new Map<string, Take>();

  /** Hears of the wishes for a view; returns the way back. */
  take(viewId: string, taker: Take): () => void {
    this.#takers.set(viewId, taker);
    return () => {
      if (this.#takers.get(viewId) === taker) this.#takers.delete(viewId);
    };
  }

  ask(viewId: string, columnId: string): void {
    this.#takers.get(viewId)?.(columnId);
  }
}

/** The entry of a column's menu that opens the filters with one for the column. */
export function filterByColumn(requests: FilterRequests): MenuItem {
  return {
    id: 'views.filter-column',
    menu: 'column',
    label: 'Filter by this column',
    icon: 'filter',
    order: 5,
    // Whoever may not add filters to the view adds them for themselves.
    permission: 'filterList',
    when: ({ column, view }) => column !== undefined && column.virtual !== true && view !== undefined,
    run({ column, view }) {
      if (column !== undefined && view !== undefined) requests.ask(view.id, column.id);
    },
  };
}
