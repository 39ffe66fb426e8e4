import type { MenuItem } from '@trellis/sdk/web';

type Take = (columnId: string) => void;

/** Passes requests for a filter by a column from menus to a view's filter panel. */
export class FilterRequests {
  readonly #takers = new Map<string, Take>();

  /** Registers the receiver of a view's requests; returns how to remove it. */
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

/** The column menu's entry that opens the filters with a new one for the column. */
export function filterByColumn(requests: FilterRequests): MenuItem {
  return {
    id: 'views.filter-column',
    menu: 'column',
    label: 'Filter by this column',
    icon: 'filter',
    order: 5,
    // People who may not add filters to the view add them for themselves.
    permission: 'filterList',
    when: ({ column, view }) => column !== undefined && column.virtual !== true && view !== undefined,
    run({ column, view }) {
      if (column !== undefined && view !== undefined) requests.ask(view.id, column.id);
    },
  };
}
