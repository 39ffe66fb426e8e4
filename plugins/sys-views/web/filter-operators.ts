import type { FilterOperator } from '@trellis/sdk/shared';
import type { WebColumnType } from '@trellis/sdk/web';

/** The comparisons that make sense for a type, best first; all of them while its plugin is off. */
export function operatorsFor(
  type: WebColumnType | undefined,
  operators: readonly FilterOperator[],
): readonly FilterOperator[] {
  if (type === undefined) return operators;
  return type.operators.flatMap((id) => operators.find((operator) => operator.id === id) ?? []);
}
