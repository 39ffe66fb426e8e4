import type { FilterEntity, SortEntity } from '@trellis/sdk/shared';
import type { RowsClient } from '@trellis/sdk/web/rows';
import type { ShownColumn } from '@trellis/sdk/web/views';
import { useEffect, useRef } from 'react';

/** What decides which rows a view has, in which order, with which values. */
interface Arrangement {
  readonly sorts: readonly SortEntity[] | undefined;
  readonly filters: readonly FilterEntity[] | undefined;
  readonly shown: readonly ShownColumn[];
}

/** Reads the rows anew when the view is arranged otherwise, by this person or another. */
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
    if (before?.rows === rows && before.arrangement !== arrangement) rows.source.rearrange();
  }, [rows, arrangement]);
}
