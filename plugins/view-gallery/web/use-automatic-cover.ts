import type { AggregationOf } from '@trellis/sdk/shared';
import { useRegistry, type ViewProps } from '@trellis/sdk/web';
import { useShownViewOptions } from '@trellis/sdk/web/views';
import { useMemo } from 'react';
import type { GalleryOptions } from '../shared/index.ts';

/**
 * Counts the rows with a cover if nobody chose the cover's column: then the first column with covers is used. Empty if the column
 * was chosen, or if there is none.
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
