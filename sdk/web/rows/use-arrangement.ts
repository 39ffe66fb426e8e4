import { useEffect, useRef } from 'react';
import type { ColumnEntity, FilterEntity, SortEntity } from '../../shared/index.ts';
import type { RowsClient } from './rows-client.ts';

/** What decides which rows a view has, in which order, with which values; undefined while it is not known. @public */
export interface Arrangement {
  readonly sorts: readonly SortEntity[] | undefined;
  readonly filters: readonly FilterEntity[] | undefined;
  readonly shown: readonly { readonly column: ColumnEntity }[];
}

/** Reads the rows anew when the view is arranged otherwise, by this person or another. @public */
export function useArrangement(rows: RowsClient, { sorts, filters, shown }: Arrangement): void {
  // The rows that are read before the sorts and filters are known are arranged by them already.
  const isKnown = sorts !== undefined && filters !== undefined;
  const ids = shown.map(({ column }) => column.id).toSorted();
  const arrangement = isKnown ? JSON.stringify([sorts, filters, ids]) : undefined;
  const last = useRef<{ readonly rows: RowsClient; readonly arrangement: string }>(undefined);
  useEffect(() => {
    if (arrangement === undefined) return;
    const before = last.current;
    last.current = { rows, arrangement };
    if (before?.rows === rows && before.arrangement !== arrangement) rows.rearrange();
  }, [rows, arrangement]);
}
