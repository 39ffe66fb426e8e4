import { inParts } from '../../sql/in-parts.ts';

/** What a database takes at once. */
export interface Limits {
  readonly parametersPerStatement: number;
  /** Rows of one insert. More than a thousand make no statement faster, only the parser's memory larger. */
  readonly rowsPerInsert: number;
  readonly columnsPerTable: number;
  readonly identifierBytes: number;
  /** Cuts rows into chunks whose values fit one statement with `columns` values per row. */
  chunkRows<Row>(columns: number, rows: readonly Row[]): readonly (readonly Row[])[];
}

export function createLimits(limits: Omit<Limits, 'chunkRows'>): Limits {
  return {
    ...limits,
    chunkRows(columns, rows) {
      const size = Math.max(
        1,
        Math.min(limits.rowsPerInsert, Math.floor(limits.parametersPerStatement / Math.max(1, columns))),
      );
      return inParts(rows, size);
    },
  };
}
