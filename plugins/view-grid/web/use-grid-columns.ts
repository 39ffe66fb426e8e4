import { useRegistry, useT, whyReadOnly } from '@trellis/sdk/web';
import type { GridColumn } from '@trellis/sdk/web/grid';
import { useMemo } from 'react';
import type { ShownColumn } from './view-columns.ts';

/** The view's columns with their types. */
export function useGridColumns(shown: readonly ShownColumn[]): readonly GridColumn[] {
  const t = useT();
  const types = useRegistry('columnTypes');
  return useMemo(
    () =>
      shown.map(({ column, width }): GridColumn => {
        const type = types.find((each) => each.id === column.uidt);
        return { entity: column, type, width, frozen: column.pv, whyReadOnly: whyReadOnly(column, type, t) };
      }),
    [shown, types, t],
  );
}
