import type { ColumnEntity } from '@trellis/sdk/shared';
import { optionColors } from '@trellis/sdk/web';
import { daysOfRow, type DateRange, type DaySpan } from '@trellis/sdk/web/cards';
import type { RowData } from '@trellis/sdk/web/rows';

/** Rows that stand together, by what they hold in the column of the groups. */
export interface Group {
  /** Null for the rows that hold nothing. */
  readonly value: string | null;
  readonly color: string | undefined;
}

/** A line of the chart. */
export type Line =
  | { readonly kind: 'group'; readonly group: Group; readonly count: number }
  | {
      readonly kind: 'row';
      readonly row: RowData;
      readonly days: DaySpan;
      readonly color: string | undefined;
    }
  | { readonly kind: 'new'; readonly group: Group | undefined };

/** The lines of rows, in groups where there is a column for them: in the order of its options, then of the rows. */
export function linesOf(
  rows: readonly RowData[],
  range: DateRange,
  { groupedBy, takesNew }: { readonly groupedBy: ColumnEntity | undefined; readonly takesNew: boolean },
): readonly Line[] {
  const line = (row: RowData, color?: string): readonly Line[] => {
    const days = daysOfRow(row.values, range);
    return days === undefined ? [] : [{ kind: 'row', row, days, color }];
  };
  const added = (group?: Group): readonly Line[] => (takesNew ? [{ kind: 'new', group }] : []);
  if (groupedBy === undefined) return [...rows.flatMap((row) => line(row)), ...added()];
  const colors = optionColors(groupedBy);
  const members = new Map<string | null, RowData[]>();
  for (const title of colors.keys()) members.set(title, []);
  for (const row of rows) {
    const held = row.values[groupedBy.id];
    const value = typeof held === 'string' && held !== '' ? held : null;
    const known = members.get(value);
    if (known === undefined) members.set(value, [row]);
    else known.push(row);
  }
  // Rows of no group come last.
  const ordered = [...members].toSorted(([a], [b]) => Number(a === null) - Number(b === null));
  return ordered.flatMap(([value, of]): readonly Line[] => {
    if (of.length === 0) return [];
    const group = { value, color: colors.get(value ?? '') };
    return [
      { kind: 'group', group, count: of.length },
      ...of.flatMap((row) => line(row, group.color)),
      ...added(group),
    ];
  });
}
