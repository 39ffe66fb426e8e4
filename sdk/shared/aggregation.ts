import type { Aggregate, ArithmeticOperator, Expression } from './query-tree.ts';
import type { StorageKind } from './storage-kind.ts';

/**
 * What is made of the rows of a query, or of one group of them.
 *
 * - `count`: how many rows there are, a `bigint`.
 * - `aggregate`: one value of an expression over each row; null where no row has one. `median` takes numbers and is a `float`.
 * - `arithmetic`: of two such values, as of two expressions; null where one of them is.
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
  /** The kinds of columns that it is offered for. */
  readonly accepts: readonly StorageKind[] | 'any';
  /** How the figure is shown: as the column shows its own values, as a number, or as a number of hundredths. */
  readonly format: 'column' | 'number' | 'percent';
  /**
   * Whether it asks nothing of cells but whether there is something in them: it is then offered of lists as well, such as the rows of a link,
   * and `column` is null where a cell has nothing in it. Default: no.
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
