import type { Aggregate, Expression } from './query-tree.ts';
import type { StorageKind } from './storage-kind.ts';

/** What is made of all rows of a query: how many there are, or one value of an expression over each of them. @public */
export type AggregateNode =
  | { readonly aggregate: 'count' }
  | { readonly aggregate: Exclude<Aggregate, 'count' | 'first'>; readonly of: Expression };

/** A figure under a column, for the registry `aggregations`: its sum, how many cells are filled. @public */
export interface Aggregation {
  readonly id: string;
  readonly label: string;
  /** The kinds of columns that it is offered for. */
  readonly accepts: readonly StorageKind[] | 'any';
  build(column: Expression): AggregateNode;
}

/** An aggregation of one column. @public */
export interface AggregationOf {
  readonly columnId: string;
  /** The id of an {@link Aggregation}. */
  readonly aggregation: string;
}
