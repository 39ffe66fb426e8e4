import { useEffect, useRef } from 'react';
import type { ColumnEntity, FilterEntity, SortEntity } from '../../shared/index.ts';
import type { RowsClient } from './rows-client.ts';
import { useRegistry } from '../host.tsx';
import { operatorOf } from '../views/filter-tree.ts';

/** What determines a view's rows, their order and their values; undefined while unknown. */
interface Arrangement {
  readonly sorts: readonly SortEntity[] | undefined;
  readonly filters: readonly FilterEntity[] | undefined;
  readonly shown: readonly ColumnEntity[] | undefined;
}

/**
 * Reloads the rows when the view is arranged differently, by this person or another. Returns whether the arrangement is known: if
 * not, as for people who may not read filters, only the live channel reports changes.
 */
export function useArrangement(rows: RowsClient, { sorts, filters, shown }: Arrangement): boolean {
  // Rows that are loaded before the sorts and filters are known already follow them.
  const isKnown = sorts !== undefined && filters !== undefined && shown !== undefined;
  const ids = shown?.map(({ id }) => id).toSorted();
  const operators = useRegistry('filterOperators');
  // The rows fail while the plugin of a comparison is off, and load again once it is on.
  const missing = comparisonsOf(filters).filter((id) => operatorOf(operators, id) === undefined);
  const arrangement = isKnown ? JSON.stringify([sorts, filters, ids, missing]) : undefined;
  const last = useRef<{ readonly rows: RowsClient; readonly arrangement: string }>(undefined);
  useEffect(() => {
    if (arrangement === undefined) return;
    const before = last.current;
    last.current = { rows, arrangement };
    if (before?.rows === rows && before.arrangement !== arrangement) rows.rearrange();
  }, [rows, arrangement]);
  return isKnown;
}

/** The comparisons of filters, including those in groups. */
function comparisonsOf(filters: readonly FilterEntity[] = []): readonly string[] {
  return filters.flatMap(({ comparison_op, children }) => [
    ...(comparison_op === null ? [] : [comparison_op]),
    ...comparisonsOf(children),
  ]);
}
