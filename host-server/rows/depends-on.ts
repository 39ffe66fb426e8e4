import type { Expression, Predicate } from '@trellis/sdk/shared';

/**
 * Whether the value of one of these columns may decide about a condition. A node that reaches beyond the row counts as one that
 * does.
 */
export function dependsOn(condition: Predicate, columnIds: ReadonlySet<string>): boolean {
  const within = (item: Predicate) => dependsOn(item, columnIds);
  const on = (item: Expression) => expressionDependsOn(item, columnIds);
  switch (condition.kind) {
    case 'always':
      return false;
    case 'and':
    case 'or':
      return condition.items.some(within);
    case 'not':
      return within(condition.item);
    case 'compare':
      return on(condition.left) || on(condition.right);
    case 'in':
      return on(condition.item) || condition.values.some(on);
    case 'between':
      return on(condition.item) || on(condition.low) || on(condition.high);
    case 'like':
    case 'isNull':
      return on(condition.item);
    default:
      return true;
  }
}

function expressionDependsOn(expression: Expression, columnIds: ReadonlySet<string>): boolean {
  switch (expression.kind) {
    case 'column':
      return columnIds.has(expression.columnId);
    case 'literal':
      return false;
    default:
      return true;
  }
}
