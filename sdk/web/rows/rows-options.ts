import type { CellValue, LogicalOp } from '../../shared/index.ts';
import type { FiguresWanted } from './row-figures.ts';

/**
 * A condition for rows: a comparison of a column, or several; each is joined to those before it by its operator, `and` by default.
 * @public
 */
export type RowRule =
  | {
      readonly fk_column_id: string;
      readonly comparison_op: string;
      readonly value: CellValue;
      readonly logical_op?: LogicalOp;
    }
  | {
      readonly is_group: true;
      readonly children: readonly RowRule[];
      readonly logical_op?: LogicalOp;
    };

/** A sort column with its direction. @public */
export interface SortOf {
  readonly columnId: string;
  readonly direction: 'asc' | 'desc';
}

/** The options of a rows client. @public */
export interface RowsOptions extends FiguresWanted {
  /** Conditions for rows besides the filters of their place, such as to have a visible day. */
  readonly rules?: readonly RowRule[];
  /** The order of the rows, in place of that of their place; within groups if rows are grouped. */
  readonly sorts?: readonly SortOf[];
  /** Ids of columns to load besides those that the view shows. */
  readonly also?: readonly string[];
  /** Leaves out the view's filters whose comparison belongs to a plugin that is off. */
  readonly skipsDisabledFilters?: boolean;
}
