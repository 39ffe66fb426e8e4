import { useRegistry, type WebColumnType } from '@trellis/sdk/web';
import type { FilterOperator } from '@trellis/sdk/shared';
import { useMemo } from 'react';

/** Column types by id; it changes when a plugin comes or goes. */
export function useColumnTypes(): ReadonlyMap<string, WebColumnType> {
  const types = useRegistry('columnTypes');
  return useMemo(() => new Map(types.map((type) => [type.id, type])), [types]);
}

export function useFilterOperators(): readonly FilterOperator[] {
  return useRegistry('filterOperators');
}
