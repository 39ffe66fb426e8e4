import type { ComponentType } from 'react';
import type { ColumnEntity, FilterOperator } from '../../shared/index.ts';
import type { ColumnFilterProps, WebColumnType } from './column-types.ts';

/** What the value of a filter is edited by. @public */
export interface FilterValueProps extends ColumnFilterProps {
  /** Undefined while the plugin of the column's type is off. */
  readonly type: WebColumnType | undefined;
  readonly operator: WebFilterOperator;
}

/** A comparison as the browser knows it. @public */
export interface WebFilterOperator extends FilterOperator {
  /** Edits the value, in place of the input that `arity` and the column's type decide. */
  readonly ValueInput?: ComponentType<FilterValueProps>;
  /** What it is called for a column, where people say it otherwise than `label` does. */
  labelOf?(column: ColumnEntity): string | undefined;
  /** The id of another operator as which a condition on a column is shown, where both find the same rows. */
  shownAs?(column: ColumnEntity): string | undefined;
}
