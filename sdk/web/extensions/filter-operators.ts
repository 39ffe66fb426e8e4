import type { ComponentType } from 'react';
import type { ColumnEntity, FilterOperator } from '../../shared/index.ts';
import type { ColumnFilterProps, WebColumnType } from './column-types.ts';

/** The props of a filter's value input. @public */
export interface FilterValueProps extends ColumnFilterProps {
  /** Undefined while the plugin of the column's type is off. */
  readonly type: WebColumnType | undefined;
  readonly operator: WebFilterOperator;
}

/** A comparison in the browser. @public */
export interface WebFilterOperator extends FilterOperator {
  /** Edits the value, in place of the default input for `arity` and the column's type. */
  readonly ValueInput?: ComponentType<FilterValueProps>;
  /** Its name for a column, if it differs from `label`. */
  labelOf?(column: ColumnEntity): string | undefined;
  /** The id of another operator with the same result, as which a condition on a column is shown. */
  shownAs?(column: ColumnEntity): string | undefined;
}
