import type { RowKey } from '../../shared/index.ts';

/** The cell that a value was copied from. @public */
export interface CellSource {
  readonly tableId: string;
  readonly columnId: string;
  readonly rowKey: RowKey;
}

/** A change of one cell by a person. @public */
export interface CellChange {
  readonly rowKey: RowKey;
  /** The index of the row when it was edited. */
  readonly index: number;
  readonly columnId: string;
  readonly value: unknown;
  readonly before: unknown;
  /** The source cell, if `value` was copied from one. */
  readonly from?: CellSource | undefined;
  /** What a refused cell keeps showing: the typed or pasted text, or the value as formatted by its type. */
  readonly text?: string;
}

/** A refused cell, with the reason. @public */
export interface CellFailure {
  readonly rowKey: RowKey;
  readonly columnId: string;
  /** For the person, shown at the cell. */
  readonly message: string;
}
