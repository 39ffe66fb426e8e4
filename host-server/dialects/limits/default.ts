import { inParts } from '../../sql/in-parts.ts';

/** The limits of a database's statements. */
export interface Limits {
  readonly parametersPerStatement: number;
  /** The most rows of one insert. More than a thousand are no faster and only take more memory in the parser. */
  readonly rowsPerInsert: number;
  readonly columnsPerTable: number;
  readonly identifierBytes: number;
  /** Cuts rows into chunks that fit one statement, with `columns` values per row. */
  chunkRows<Row>(columns: number, rows: readonly Row[]): readonly (readonly Row[])[];
  /** The most keys of `columns` values in one query. A tenth of its bindings is left for other conditions. */
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
