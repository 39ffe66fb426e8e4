import type { RowKey } from '../../shared/index.ts';

/** One cell that a person wrote. @public */
export interface CellChange {
  readonly rowKey: RowKey;
  /** Where the row stood when it was edited. */
  readonly index: number;
  readonly columnId: string;
  readonly value: unknown;
  readonly before: unknown;
}

/** A cell that was not written, and why. @public */
export interface CellFailure {
  readonly rowKey: RowKey;
  readonly columnId: string;
  /** For the person, shown at the cell. */
  readonly message: string;
}
