import { countWhile } from '../rows/count-while.ts';

/** A line of the grid that is no row: it stands before one. */
export interface LineBefore {
  /** The row before which it stands, or how many rows there are for the end. */
  readonly before: number;
}

/** What a line of the grid shows. */
export type GridLine =
  | { readonly kind: 'row'; readonly row: number }
  /** `at`: which of the lines that are no rows. */
  | { readonly kind: 'head'; readonly at: number };

/** Where rows stand among the lines of the grid, all of which are as high as a row. */
export interface RowLines {
  readonly count: number;
  lineOf(row: number): number;
  lineAt(line: number): GridLine;
  /** The first row at or below a line. */
  rowFrom(line: number): number;
}

/** The lines of rows with others between them, in the order in which these stand. */
export function createRowLines(rowCount: number, heads: readonly LineBefore[] = []): RowLines {
  if (heads.length === 0)
    return {
      count: rowCount,
      lineOf: (row) => row,
      lineAt: (line) => ({ kind: 'row', row: line }),
      rowFrom: (line) => line,
    };
  return {
    count: rowCount + heads.length,
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
