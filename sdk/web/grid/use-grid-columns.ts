import { useMemo } from 'react';
import { usualColumnWidth, type ColumnEntity } from '../../shared/index.ts';
import { whyReadOnly } from '../columns.ts';
import { useRegistry, useSharedT } from '../host.tsx';
import type { GridColumn } from './grid-column.ts';

/**
 * Columns with their types, as props of a grid. The width is in pixels, by default that of the column's type. The display column is
 * frozen by default.
 * @public
 */
export function useGridColumns(
  shown: readonly (Partial<Pick<GridColumn, 'width' | 'frozen' | 'sort'>> & {
    readonly column: ColumnEntity;
  })[],
): readonly GridColumn[] {
  const t = useSharedT();
  const types = useRegistry('columnTypes');
  return useMemo(
    () =>
      shown.map(({ column, width, frozen = column.pv, sort }): GridColumn => {
        const type = types.find((each) => each.id === column.uidt);
        return {
          entity: column,
          type,
          width: width ?? type?.width ?? usualColumnWidth,
          frozen,
          sort,
          whyReadOnly: whyReadOnly(column, type, t),
        };
      }),
    [shown, types, t],
  );
}
