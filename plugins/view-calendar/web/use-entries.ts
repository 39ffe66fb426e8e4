import { showCell, useRegistry, useT } from '@trellis/sdk/web';
import { daysOfRow, optionColors, timesOfRow, type DateRange } from '@trellis/sdk/web/cards';
import type { RowData, RowsClient } from '@trellis/sdk/web/rows';
import { inkOn } from '@trellis/sdk/web/ui';
import type { ColumnEntity } from '@trellis/sdk/shared';
import { useMemo } from 'react';

/** What names a row on its entry. */
export function useRowName(columns: readonly ColumnEntity[]): (row: RowData) => string {
  const t = useT();
  const types = useRegistry('columnTypes');
  return useMemo(() => {
    const naming = columns.find(({ pv }) => pv);
    const type = types.find(({ id }) => id === naming?.uidt);
    return ({ values }) => (naming && showCell(values[naming.id], naming, type)) || t('Untitled row');
  }, [columns, types, t]);
}

interface EntriesOf {
  readonly source: RowsClient['source'];
  /** Changes with the rows of the source. */
  readonly version: number;
  /** How many rows of the source are shown. */
  readonly shown: number;
  readonly range: DateRange;
  readonly columns: readonly ColumnEntity[];
  /** The list of options in whose colours entries are; empty for none. */
  readonly colorId: string;
  readonly mayMove: boolean;
}

/** The rows that were read as entries of the calendar, each on its days or at its time. */
export function useEntries(of: EntriesOf) {
  const { source, version, shown, range, columns, colorId, mayMove } = of;
  const nameOf = useRowName(columns);
  return useMemo(() => {
    const colors = optionColors(columns.find(({ id }) => id === colorId));
    return Array.from({ length: shown }, (_, index) => source.rowAt(index))
      .filter((row): row is RowData => row !== undefined)
      .flatMap((row) => {
        const times = timesOfRow(row.values, range);
        const at = times ?? daysOfRow(row.values, range);
        if (at === undefined) return [];
        const chosen = row.values[colorId];
        const color = typeof chosen === 'string' ? colors.get(chosen) : undefined;
        return [
          {
            id: row.key,
            title: nameOf(row),
            allDay: times === undefined,
            editable: mayMove && row.readOnly !== true,
            ...at,
            ...(color !== undefined && { color, contrastColor: inkOn(color) }),
          },
        ];
      });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rows of the source are others whenever its version is
  }, [source, version, shown, range, columns, colorId, nameOf, mayMove]);
}
