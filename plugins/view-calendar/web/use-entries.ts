import { optionColors } from '@trellis/sdk/web';
import { daysOfRow, timesOfRow, useRowName, type DateRange } from '@trellis/sdk/web/cards';
import type { RowData, RowsClient } from '@trellis/sdk/web/rows';
import { inkOn } from '@trellis/sdk/web/ui';
import type { ViewRowColors } from '@trellis/sdk/web/views';
import type { ColumnEntity } from '@trellis/sdk/shared';
import { useMemo } from 'react';

interface EntriesOf {
  readonly source: RowsClient['source'];
  /** Changes with the source's rows. */
  readonly version: number;
  /** The number of the source's rows that are shown. */
  readonly shown: number;
  readonly range: DateRange;
  readonly columns: readonly ColumnEntity[];
  /** The column whose options colour the entries; empty for none. */
  readonly colorId: string;
  /** The rows' own colours, which take precedence. */
  readonly rowColors: ViewRowColors;
  readonly mayMove: boolean;
}

/** The read rows as calendar entries, each on its days or at its time. */
export function useEntries(of: EntriesOf) {
  const { source, version, shown, range, columns, colorId, rowColors, mayMove } = of;
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
        const ofRow = rowColors.of(row);
        const color =
          ofRow?.place === 'row' ? ofRow.color : typeof chosen === 'string' ? colors.get(chosen) : undefined;
        return [
          {
            id: row.key,
            title: nameOf(row),
            allDay: times === undefined,
            editable: mayMove && row.readOnly !== true,
            ...at,
            extendedProps: { stripe: ofRow?.place === 'stripe' ? ofRow.color : undefined },
            ...lookOf(color, ofRow?.place === 'stripe' || colors.size > 0),
          },
        ];
      });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rows of the source are others whenever its version is
  }, [source, version, shown, range, columns, colorId, rowColors, nameOf, mayMove]);
}

/** Next to a stripe, and among entries with option colours, an entry without a colour is pale, so that the others stand out. */
function lookOf(color: string | undefined, isQuiet: boolean) {
  if (color !== undefined) return { color, contrastColor: inkOn(color) };
  return isQuiet ? { color: 'var(--trellis-surface-3)', contrastColor: 'var(--trellis-text)' } : {};
}
