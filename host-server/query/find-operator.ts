import type { RegistryView } from '@trellis/core';
import type { FilterOperator } from '@trellis/sdk/shared';

/** The deepest nesting of lists and objects in the value of one condition. */
export const deepestValue = 20;

/** The filter operator with this id or alias; undefined while no enabled plugin provides one. */
export function findOperator(
  operators: RegistryView<FilterOperator>,
  word: string,
): FilterOperator | undefined {
  return operators.get(word) ?? operators.list().find((operator) => operator.aliases?.includes(word));
}
