import { useMemo } from 'react';
import type { ColumnEntity } from '../../shared/index.ts';
import { showCell } from '../columns.ts';
import { useRegistry, useSharedT } from '../host.tsx';
import type { RowData } from '../rows/index.ts';

/** The name of a row in a line of text: its value in the display column, or its key if that value is masked. @public */
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
