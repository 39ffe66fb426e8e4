import type { RowKey } from '../../shared/index.ts';

/** The cell that a value was copied from. @public */
export interface CellSource {
  readonly tableId: string;
  readonly columnId: string;
  readonly rowKey: RowKey;
}

/** One cell that a person wrote. @public */
export interface CellChange {
  readonly rowKey: RowKey;
  /** Where the row stood when it was edited. */
  readonly index: number;
  readonly columnId: string;
  readonly value: unknown;
  readonly before: unknown;
  /** Where `value` is another cell's, as far as that cell shows it. */
  readonly from?: CellSource | undefined;
  /** What a refused cell goes on showing: the text that the person typed or pasted, or the value as its type wrote it then. */
  readonly text?: string;
}

/** A cell that was not written, and why. @public */
export interface CellFailure {
  readonly rowKey: RowKey;
  readonly columnId: string;
  /** For the person, shown at the cell. */
  readonly message: string;
}
