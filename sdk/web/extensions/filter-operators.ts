import type { ComponentType } from 'react';
import type { CellValue, ColumnEntity, FilterOperator } from '../../shared/index.ts';
import type { WebColumnType } from './column-types.ts';

/** What the value of a filter is edited by. @public */
export interface FilterValueProps {
  readonly column: ColumnEntity;
  /** Undefined while the plugin of the column's type is off. */
  readonly type: WebColumnType | undefined;
  readonly operator: WebFilterOperator;
  /** As it is saved; an empty text for none yet. */
  readonly value: CellValue;
  readonly readOnly: boolean;
  /** Which of several values it is: "From". */
  readonly label?: string;
  /** Filters at once; call it when the value is whole. */
  onChange(this: void, value: CellValue): void;
}

/** A comparison as the browser knows it. @public */
export interface WebFilterOperator extends FilterOperator {
  /** Edits the value, in place of the input that `arity` and the column's type decide. */
  readonly ValueInput?: ComponentType<FilterValueProps>;
}
