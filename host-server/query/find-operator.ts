import type { RegistryView } from '@trellis/core';
import type { FilterOperator } from '@trellis/sdk/shared';

/** Levels of lists and objects that the value of one condition may have. */
export const deepestValue = 20;

/** The filter operator with this id or alias; undefined while no plugin that is on provides one. */
export function findOperator(
  operators: RegistryView<FilterOperator>,
  word: string,
): FilterOperator | undefined {
  return operators.get(word) ?? operators.list().find((operator) => operator.aliases?.includes(word));
}
