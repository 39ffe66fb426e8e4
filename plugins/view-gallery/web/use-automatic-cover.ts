import type { AggregationOf } from '@trellis/sdk/shared';
import { useRegistry, type ViewProps } from '@trellis/sdk/web';
import { useShownViewOptions } from '@trellis/sdk/web/views';
import { useMemo } from 'react';
import type { GalleryOptions } from '../shared/index.ts';

/**
 * How many rows have something in the column of the cover, where nobody chose one: it is the first column that has covers. Empty where
 * the cover was chosen and where there is no such column.
 */
export function useAutomaticCover({
  table,
  ...of
}: Pick<ViewProps, 'project' | 'table' | 'view'>): readonly AggregationOf[] {
  const { coverId } = useShownViewOptions(of) as GalleryOptions;
  const types = useRegistry('columnTypes');
  const column =
    coverId === undefined
      ? table.columns?.find(({ uidt }) => types.find(({ id }) => id === uidt)?.Cover !== undefined)
      : undefined;
  const columnId = column?.id;
  return useMemo(() => (columnId === undefined ? [] : [{ columnId, aggregation: 'filled' }]), [columnId]);
}
