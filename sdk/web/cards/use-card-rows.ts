import { useMemo } from 'react';
import type { AggregationOf, ColumnEntity } from '../../shared/index.ts';
import type { ViewProps } from '../extensions/index.ts';
import { useViewFilters, useViewSorts } from '../visited-view.ts';
import {
  keepsRowOrder,
  type RowRule,
  type RowsClient,
  type RowsOptions,
  useArrangement,
  useRows,
  useRowsInSight,
} from '../rows/index.ts';
import {
  shownColumns,
  useOwnRules,
  useOwnSorts,
  useSearchRules,
  useViewColumns,
  type ViewColumns,
} from '../views/index.ts';

/** The rows of a view of cards, with what arranges them. @public */
export interface CardRows {
  readonly rows: RowsClient;
  readonly inView: ViewColumns;
  readonly columns: readonly ColumnEntity[];
  /** Whether rows stand in the order of their table, so that one can be put beside another. */
  readonly isArranged: boolean;
  readonly isFiltered: boolean;
  /** What this person looks for in the view: the text of the search, and filters that are theirs alone. */
  readonly search: readonly RowRule[];
}

const noColumns: readonly ColumnEntity[] = [];
const noFigures: readonly AggregationOf[] = [];

/** How the rows of a view of cards are read. @public */
export interface CardRowsOptions extends Pick<RowsOptions, 'groups' | 'figures' | 'rules'> {
  /** True for rows that stand beside those that the page and its commands are about. */
  readonly isAside?: boolean;
}

/** The rows of a view, read again when its filters, sorts or fields change; undo and redo of the page are about them. @public */
export function useCardRows(
  { project, table, view }: ViewProps,
  { groups, figures = noFigures, rules, isAside = false }: CardRowsOptions = {},
): CardRows {
  const filters = useViewFilters(view);
  const sorts = useViewSorts(view);
  const inView = useViewColumns({ table, view });
  const columns = table.columns ?? noColumns;
  const shown = useMemo(
    () =>
      shownColumns(
        columns,
        (inView.columns ?? []).map((each) => each.inView),
      ),
    [columns, inView.columns],
  );
  const found = useSearchRules(useMemo(() => shown.map(({ column }) => column), [shown]));
  const own = useOwnRules({ project, table, view });
  const ownSorts = useOwnSorts({ project, table, view });
  const search = useMemo(() => [...own, ...found], [own, found]);
  const both = useMemo(() => [...(rules ?? []), ...found], [rules, found]);
  const rows = useRows(
    { kind: 'view', project, table, view },
    { groups, figures, rules: both.length === 0 ? undefined : both },
  );
  useRowsInSight(isAside ? undefined : rows);
  useArrangement(rows, { sorts, filters: inView.columns === undefined ? undefined : filters, shown });
  return {
    rows,
    inView,
    columns,
    isArranged: sorts?.length === 0 && ownSorts.length === 0 && keepsRowOrder(project, table),
    isFiltered: (filters?.length ?? 0) > 0 || search.length > 0,
    search,
  };
}
