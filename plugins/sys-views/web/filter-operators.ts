import type { FilterEntity, FilterOperator } from '@trellis/sdk/shared';
import type { WebColumnType } from '@trellis/sdk/web';

/** The comparisons that make sense for a type, best first; all of them while its plugin is off. */
export function operatorsFor(
  type: WebColumnType | undefined,
  operators: readonly FilterOperator[],
): readonly FilterOperator[] {
  if (type === undefined) return operators;
  return type.operators.flatMap((id) => operators.find((operator) => operator.id === id) ?? []);
}

/** Whether a saved filter does anything: one whose value is still to be typed does not. */
export function isEffective(filter: FilterEntity, operators: readonly FilterOperator[]): boolean {
  if (filter.is_group) return true;
  const operator = operators.find(
    (of) => of.id === filter.comparison_op || of.aliases?.includes(filter.comparison_op ?? ''),
  );
  const needsValue = operator !== undefined && operator.arity !== 'none';
  return !needsValue || !(filter.value === null || filter.value === '');
}
