import { countWhile } from '../rows/count-while.ts';

/** A line of the grid that is no row; it is before one. */
export interface LineBefore {
  /** The index of the row after it, or the number of rows for the end. */
  readonly before: number;
}

/** The content of a line of the grid. */
export type GridLine =
  | { readonly kind: 'row'; readonly row: number }
  /** `at`: the index among the lines that are no rows. */
  | { readonly kind: 'head'; readonly at: number };

/** The heights of lines in pixels. */
export interface LineHeights {
  readonly row: number;
  readonly head: number;
}

/** The positions of rows among the lines of the grid. */
export interface RowLines {
  readonly count: number;
  /** The height of all lines in pixels. */
  readonly height: number;
  /** Pixels from the first line to the top of a line; `count` for the end of the last one. */
  topOf(line: number): number;
  /** The line at so many pixels below the top of the first one, as if rows followed the last one. */
  lineAtTop(top: number): number;
  lineOf(row: number): number;
  lineAt(line: number): GridLine;
  /** The first row at or below a line. */
  rowFrom(line: number): number;
}

/** The lines of rows with other lines between them, in order. */
export function createRowLines(
  rowCount: number,
  heads: readonly LineBefore[] = [],
  height: LineHeights = { row: 1, head: 1 },
): RowLines {
  if (heads.length === 0)
    return {
      count: rowCount,
      height: rowCount * height.row,
      topOf: (line) => line * height.row,
      lineAtTop: (top) => Math.floor(top / height.row),
      lineOf: (row) => row,
      lineAt: (line) => ({ kind: 'row', row: line }),
      rowFrom: (line) => line,
    };
  const topOfHead = (at: number): number => (heads[at]?.before ?? 0) * height.row + at * height.head;
  return {
    count: rowCount + heads.length,
    height: rowCount * height.row + heads.length * height.head,
    topOf(line) {
      const above = countWhile(heads, ({ before }, at) => before + at < line);
      return (line - above) * height.row + above * height.head;
    },
    lineAtTop(top) {
      const begun = countWhile(heads, (_head, at) => topOfHead(at) <= top);
      const last = heads[begun - 1];
      if (last !== undefined && top < topOfHead(begun - 1) + height.head) return last.before + begun - 1;
      return begun + Math.floor((top - begun * height.head) / height.row);
    },
    lineOf: (row) => row + countWhile(heads, ({ before }) => before <= row),
    lineAt(line) {
      const above = countWhile(heads, ({ before }, at) => before + at < line);
      const next = heads[above];
      return next !== undefined && next.before + above === line
        ? { kind: 'head', at: above }
        : { kind: 'row', row: line - above };
    },
    rowFrom: (line) => Math.max(0, line - countWhile(heads, ({ before }, at) => before + at < line)),
  };
}
