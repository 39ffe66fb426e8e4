import type { CellValue, LogicalOp } from '../../shared/index.ts';
import type { FiguresWanted } from './row-figures.ts';

/** What rows must meet: a comparison of a column, or several; each joins those before it by its word, `and` where it has none. @public */
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

/** By which column rows are sorted, and in which direction. @public */
export interface SortOf {
  readonly columnId: string;
  readonly direction: 'asc' | 'desc';
}

/** How a rows client reads. @public */
export interface RowsOptions extends FiguresWanted {
  /** What rows must meet beside the filters of their place, such as to have a day in sight. */
  readonly rules?: readonly RowRule[];
  /** The order of the rows, in place of that of their place; within groups where rows are grouped. */
  readonly sorts?: readonly SortOf[];
  /** Ids of columns that are read beside those that the view shows. */
  readonly also?: readonly string[];
  /** Leaves out the view's filters whose comparison belongs to a plugin that is off. */
  readonly skipsDisabledFilters?: boolean;
}
