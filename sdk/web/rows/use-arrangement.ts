import { useEffect, useRef } from 'react';
import type { ColumnEntity, FilterEntity, SortEntity } from '../../shared/index.ts';
import type { RowsClient } from './rows-client.ts';
import { useRegistry } from '../host.tsx';
import { operatorOf } from '../views/filter-tree.ts';

/** What decides which rows a view has, in which order, with which values; undefined while it is not known. */
interface Arrangement {
  readonly sorts: readonly SortEntity[] | undefined;
  readonly filters: readonly FilterEntity[] | undefined;
  readonly shown: readonly ColumnEntity[] | undefined;
}

/**
 * Reads the rows anew when the view is arranged otherwise, by this person or another. Returns whether it is known how the view is arranged:
 * where it is not, as for whoever may not read filters, only the live channel tells.
 */
export function useArrangement(rows: RowsClient, { sorts, filters, shown }: Arrangement): boolean {
  // The rows that are read before the sorts and filters are known are arranged by them already.
  const isKnown = sorts !== undefined && filters !== undefined && shown !== undefined;
  const ids = shown?.map(({ id }) => id).toSorted();
  const operators = useRegistry('filterOperators');
  // A comparison whose plugin was switched off refuses the rows, and one that came back admits them.
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

/** The comparisons of filters, those in groups among them. */
function comparisonsOf(filters: readonly FilterEntity[] = []): readonly string[] {
  return filters.flatMap(({ comparison_op, children }) => [
    ...(comparison_op === null ? [] : [comparison_op]),
    ...comparisonsOf(children),
  ]);
}
