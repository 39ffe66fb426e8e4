import type { FilterNode } from './query-tree.ts';

/** How conditions follow changed values of a column, such as a renamed option. @public */
export interface MovedConditions {
  /** The column whose values changed, or a column whose cells show them over a link. */
  readonly columnId: string;
  /** The table of that column. */
  readonly tableId: string;
  readonly projectId: string;
  /** The conditions with the new values; conditions without a changed value stay as they are. */
  filters(this: void, nodes: readonly FilterNode[]): readonly FilterNode[];
  /** Whether conditions name a value that no cell has any more, such as a deleted option. */
  isGone(this: void, nodes: readonly FilterNode[]): boolean;
}
