import type { Aggregate, ArithmeticOperator, Expression } from './query-tree.ts';
import type { StorageKind } from './storage-kind.ts';

/**
 * A value computed from the rows of a query, or of one group of them.
 *
 * - `count`: the number of rows, a `bigint`.
 * - `aggregate`: an aggregate of an expression over all rows; null when no row has a value. `median` takes numbers and is a
 * `float`.
 * - `arithmetic`: an operation on two such values, as on two expressions; null when one of them is null.
 * - `daysBetween`: whole days from one moment to another.
 * @public
 */
export type AggregateNode =
  | { readonly kind: 'count' }
  | {
      readonly kind: 'aggregate';
      readonly aggregate: Exclude<Aggregate, 'count' | 'first'> | 'median';
      readonly of: Expression;
    }
  | {
      readonly kind: 'arithmetic';
      readonly operator: ArithmeticOperator;
      readonly left: AggregateNode;
      readonly right: AggregateNode;
    }
  | { readonly kind: 'daysBetween'; readonly from: AggregateNode; readonly to: AggregateNode }
  | { readonly kind: 'number'; readonly value: number };

/** A figure under a column, for the registry `aggregations`: its sum, how many cells are filled. @public */
export interface Aggregation {
  readonly id: string;
  readonly label: string;
  /** The kinds of columns for which it is offered. */
  readonly accepts: readonly StorageKind[] | 'any';
  /** How the figure is shown: in the format of the column's values, as a number, or as a percentage of a fraction in hundredths. */
  readonly format: 'column' | 'number' | 'percent';
  /**
   * Whether it only asks whether cells are empty. Then it is also offered for lists, such as the rows of a link, and `column` is
   * null for an empty cell. Default: no.
   */
  readonly ofLists?: boolean;
  build(column: Expression): AggregateNode;
}

/** An aggregation of one column. @public */
export interface AggregationOf {
  readonly columnId: string;
  /** The id of an {@link Aggregation}. */
  readonly aggregation: string;
}
