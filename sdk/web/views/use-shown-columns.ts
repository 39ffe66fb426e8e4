import { useMemo } from 'react';
import type { ColumnEntity, TableEntity, ViewEntity } from '../../shared/index.ts';
import { useViewPlaces } from '../visited-view.ts';
import { shownColumns } from './shown-columns.ts';

/** The columns that a view shows, in its order; undefined until its columns are loaded, and without a view. */
export function useShownColumns(
  { columns }: TableEntity,
  view: ViewEntity | undefined,
): readonly ColumnEntity[] | undefined {
  const { data } = useViewPlaces(view);
  return useMemo(
    () => data && shownColumns(columns ?? [], data).map(({ column }) => column),
    [columns, data],
  );
}
