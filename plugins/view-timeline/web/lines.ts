import type { ColumnEntity } from '@trellis/sdk/shared';
import { optionColors } from '@trellis/sdk/web';
import { daysOfRow, type DateRange, type DaySpan } from '@trellis/sdk/web/cards';
import type { RowData, RowSource } from '@trellis/sdk/web/rows';

/** A group of rows with the same value in the column of the groups. */
export interface Group {
  /** Null for rows without a value. */
  readonly value: string | null;
  readonly color: string | undefined;
}

/** The group value of a cell. */
export function groupValue(held: unknown): Group['value'] {
  return typeof held === 'string' && held !== '' ? held : null;
}

/** The head of a group. */
export interface GroupLine {
  readonly kind: 'group';
  readonly group: Group;
  /** Counts only its read rows. */
  readonly count: number;
}

/** A line of the chart. */
export type Line =
  | GroupLine
  | {
      readonly kind: 'row';
      readonly row: RowData;
      /** Undefined for a row that just lost its day. */
      readonly days: DaySpan | undefined;
      readonly color: string | undefined;
    }
  /** For a row that is loading. */
  | { readonly kind: 'waiting'; readonly index: number }
  | { readonly kind: 'new'; readonly group: Group | undefined };

/** The lines of a chart; any of them can be requested. */
export interface Lines {
  readonly count: number;
  at(this: void, index: number): Line;
}

const lineOf = (row: RowData, range: DateRange, color?: string): Line => ({
  kind: 'row',
  row,
  days: daysOfRow(row.values, range),
  color,
});

/** A line for each row, read or not, in order, and one for a new row. */
export function linesInOrder(
  source: Pick<RowSource, 'count' | 'atLeast' | 'rowAt'>,
  range: DateRange,
  takesNew: boolean,
): Lines {
  const rows = source.count ?? source.atLeast;
  return {
    count: rows + (takesNew ? 1 : 0),
    at(index) {
      if (index >= rows) return { kind: 'new', group: undefined };
      const row = source.rowAt(index);
      return row === undefined ? { kind: 'waiting', index } : lineOf(row, range);
    },
  };
}

/** The lines of grouped rows: in the order of the column's options, then of the rows. */
export function linesInGroups(
  rows: readonly RowData[],
  range: DateRange,
  { groupedBy, takesNew }: { readonly groupedBy: ColumnEntity; readonly takesNew: boolean },
): Lines {
  const colors = optionColors(groupedBy);
  const members = new Map<string | null, RowData[]>();
  for (const title of colors.keys()) members.set(title, []);
  for (const row of rows) {
    const value = groupValue(row.values[groupedBy.id]);
    const known = members.get(value);
    if (known === undefined) members.set(value, [row]);
    else known.push(row);
  }
  // Rows without a group come last.
  const ordered = [...members].toSorted(([a], [b]) => Number(a === null) - Number(b === null));
  const lines = ordered.flatMap(([value, of]): readonly Line[] => {
    if (of.length === 0) return [];
    const group = { value, color: colors.get(value ?? '') };
    return [
      { kind: 'group', group, count: of.length },
      ...of.map((row) => lineOf(row, range, group.color)),
      ...(takesNew ? [{ kind: 'new', group } as const] : []),
    ];
  });
  // Only existing lines are requested.
  return { count: lines.length, at: (index) => lines[index] as Line };
}
