import { useMemo } from 'react';
import type { AggregationOf, ColumnEntity } from '../../shared/index.ts';
import type { ViewProps } from '../extensions/index.ts';
import { useViewFilters, useViewSorts } from '../visited-view.ts';
import {
  keepsRowOrder,
  type RowRule,
  type RowsClient,
  type ShownRowsOptions,
  useRows,
} from '../rows/index.ts';
import { useShownColumns } from '../views/use-shown-columns.ts';
import {
  useOwnRules,
  useOwnSorts,
  useSearchRules,
  useViewColumns,
  type ViewColumns,
} from '../views/index.ts';

/** The rows of a card view, with what determines their order. @public */
export interface CardRows {
  readonly rows: RowsClient;
  readonly inView: ViewColumns;
  readonly columns: readonly ColumnEntity[];
  /** Whether rows are in the table's own order, so that one can be placed beside another. */
  readonly isArranged: boolean;
  /** Undefined while the filters of the view are loading. */
  readonly isFiltered: boolean | undefined;
  /** The rules of the person's search. */
  readonly found: readonly RowRule[];
  /** The person's own conditions for the view: the text of the search, and personal filters. */
  readonly search: readonly RowRule[];
}

const noColumns: readonly ColumnEntity[] = [];
const noFigures: readonly AggregationOf[] = [];

/** Options for reading the rows of a card view. @public */
export type CardRowsOptions = Pick<ShownRowsOptions, 'groups' | 'figures' | 'rules' | 'also' | 'isAside'>;

/** The rows of a view from `useRows`, with what card views need in addition. @public */
export function useCardRows(
  { project, table, view }: ViewProps,
  { figures = noFigures, ...options }: CardRowsOptions = {},
): CardRows {
  const filters = useViewFilters(view);
  const sorts = useViewSorts(view);
  const inView = useViewColumns({ table, view });
  const columns = table.columns ?? noColumns;
  const found = useSearchRules(useShownColumns(table, view));
  const own = useOwnRules({ project, table, view });
  const ownSorts = useOwnSorts({ project, table, view });
  const search = useMemo(() => [...own, ...found], [own, found]);
  const rows = useRows({ kind: 'view', project, table, view }, { ...options, figures });
  return {
    rows,
    inView,
    columns,
    isArranged: sorts?.length === 0 && ownSorts.length === 0 && keepsRowOrder(project, table),
    isFiltered: search.length > 0 || (filters && filters.length > 0),
    search,
    found,
  };
}
