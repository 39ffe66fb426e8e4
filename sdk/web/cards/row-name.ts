import { useMemo } from 'react';
import type { ColumnEntity } from '../../shared/index.ts';
import { showCell } from '../columns.ts';
import { useRegistry, useSharedT } from '../host.tsx';
import type { RowData } from '../rows/index.ts';

/** What names a row in a line of text: its value in the column that names rows, or its key where that value is covered. @public */
export function useRowName(columns: readonly ColumnEntity[]): (row: RowData) => string {
  const t = useSharedT();
  const types = useRegistry('columnTypes');
  return useMemo(() => {
    const naming = columns.find(({ pv }) => pv);
    const type = types.find(({ id }) => id === naming?.uidt);
    return ({ key, values }) => {
      if (type?.isCovered === true) return t('Row {{key}}', { key });
      return (naming && showCell(values[naming.id], naming, type)) || t('Untitled row');
    };
  }, [columns, types, t]);
}
