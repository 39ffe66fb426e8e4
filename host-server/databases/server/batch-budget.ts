import { rowBytes } from '../../sql/row-bytes.ts';

/** The target size of a stream's batch, in bytes. */
export const BATCH_BYTES = 1024 * 1024;
const FIRST_ROWS = 50;

/**
 * How many rows to request from a cursor that can only count rows: so many that rows as large as the largest of the last batch fill
 * the budget. The first batch is small, since nothing is known yet.
 */
export class BatchBudget {
  #fitting = FIRST_ROWS;

  rows(most: number): number {
    return Math.min(most, this.#fitting);
  }

  learn(rows: readonly (readonly unknown[])[]): void {
    const largest = rows.reduce((most, row) => Math.max(most, rowBytes(row)), 1);
    this.#fitting = Math.max(1, Math.floor(BATCH_BYTES / largest));
  }
}
