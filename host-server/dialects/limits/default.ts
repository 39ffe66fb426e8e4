/** What a database takes at once. */
export interface Limits {
  readonly parametersPerStatement: number;
  readonly columnsPerTable: number;
  readonly identifierBytes: number;
  /** Cuts rows into chunks whose values fit one statement with `columns` values per row. */
  chunkRows<Row>(columns: number, rows: readonly Row[]): Row[][];
}

/** More rows than this in one insert make no statement faster, only the parser's memory larger. */
const ROWS_PER_STATEMENT = 1000;

export function createLimits(limits: Omit<Limits, 'chunkRows'>): Limits {
  return {
    ...limits,
    chunkRows(columns, rows) {
      const size = Math.max(
        1,
        Math.min(ROWS_PER_STATEMENT, Math.floor(limits.parametersPerStatement / Math.max(1, columns))),
      );
      const chunks = [];
      for (let start = 0; start < rows.length; start += size) chunks.push(rows.slice(start, start + size));
      return chunks;
    },
  };
}
