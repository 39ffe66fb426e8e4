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
  /** Keys of `columns` values by which one query may look for rows: a tenth of what it may bind is left to its other conditions. */
  keysPerQuery(columns: number): number;
}

export function createLimits(limits: Omit<Limits, 'chunkRows' | 'keysPerQuery'>): Limits {
  return {
    ...limits,
    keysPerQuery: (columns) =>
      Math.max(1, Math.floor((limits.parametersPerStatement * 0.9) / Math.max(1, columns))),
    chunkRows(columns, rows) {
      const size = Math.max(
        1,
        Math.min(limits.rowsPerInsert, Math.floor(limits.parametersPerStatement / Math.max(1, columns))),
      );
      return inParts(rows, size);
    },
  };
}
