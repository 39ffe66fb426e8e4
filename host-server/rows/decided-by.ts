import type { Expression, Predicate } from '@trellis/sdk/shared';

/**
 * Whether a condition depends on these columns alone. A node that reaches beyond the row, or that this function does not know, counts
 * as depending on something else.
 */
export function isDecidedBy(columnIds: ReadonlySet<string>, condition: Predicate): boolean {
  const isDecided = (item: Predicate) => isDecidedBy(columnIds, item);
  const has = (item: Expression): boolean =>
    item.kind === 'literal' ||
    (item.kind === 'column' && columnIds.has(item.columnId)) ||
    (item.kind === 'concat' && item.items.every(has));
  switch (condition.kind) {
    case 'always':
      return true;
    case 'and':
    case 'or':
      return condition.items.every(isDecided);
    case 'not':
      return isDecided(condition.item);
    case 'compare':
      return has(condition.left) && has(condition.right);
    case 'in':
      return has(condition.item) && condition.values.every(has);
    case 'between':
      return has(condition.item) && has(condition.low) && has(condition.high);
    case 'like':
    case 'contains':
    case 'isNull':
      return has(condition.item);
    case 'call':
      return condition.function === 'IS_EMPTY' && condition.arguments.every(has);
    default:
      return false;
  }
}
