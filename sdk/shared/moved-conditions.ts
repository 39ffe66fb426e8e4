import type { FilterNode } from './query-tree.ts';

/** How conditions follow the values of a column that are others now, such as an option of a list that was renamed. @public */
export interface MovedConditions {
  /** The column whose values moved, or one whose cells show them over a link. */
  readonly columnId: string;
  /** The table of that column. */
  readonly tableId: string;
  readonly projectId: string;
  /** The conditions with the values that they ask for from now on; what asks for no value that moved stays as it is. */
  filters(this: void, nodes: readonly FilterNode[]): readonly FilterNode[];
  /** Whether conditions ask for a value that no cell has any more, such as an option of a list that was deleted. */
  isGone(this: void, nodes: readonly FilterNode[]): boolean;
}
