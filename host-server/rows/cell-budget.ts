import type { Cells } from '../databases/database.ts';

/** Bytes of cells that one call may keep of the rows as they were before. */
const mostBytes = 64 * 1024 * 1024;

/** Rows that are read at once where each may hold a large cell: an answer of the database is bounded as well. */
export const rowsAtOnce = 30;

/** Counts the cells that a call keeps in memory. Cells of other kinds than text and bytes are small and are not counted. */
export class CellBudget {
  #left: number;

  constructor(bytes = mostBytes) {
    this.#left = bytes;
  }

  /** False once more was taken than the budget holds. */
  take(rows: readonly Cells[]): boolean {
    for (const cells of rows)
      for (const cell of cells) {
        if (typeof cell === 'string') this.#left -= cell.length;
        else if (cell instanceof Uint8Array) this.#left -= cell.byteLength;
      }
    return this.#left >= 0;
  }
}
