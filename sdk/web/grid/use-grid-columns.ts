import { useMemo } from 'react';
import type { ColumnEntity } from '../../shared/index.ts';
import { whyReadOnly } from '../columns.ts';
import { useRegistry, useT } from '../host.tsx';
import type { GridColumn } from './grid-column.ts';

/** Columns with their types, as a grid takes them; the width is in pixels. @public */
export function useGridColumns(
  shown: readonly { readonly column: ColumnEntity; readonly width: number }[],
): readonly GridColumn[] {
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
