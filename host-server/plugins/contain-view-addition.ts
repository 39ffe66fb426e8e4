import type { BudgetSubject } from '@trellis/core';
import type { ViewAddition } from '@trellis/sdk/shared';
import type { PluginErrors } from '../runtime/tokens.ts';

/** The addition as everybody calls it: what it throws is charged to its plugin, and nothing is told of what it keeps. */
export function containViewAddition(
  addition: ViewAddition,
  subject: BudgetSubject,
  errors: PluginErrors,
): ViewAddition {
  return {
    ...addition,
    told(kept, isSeen) {
      try {
        return addition.told(kept, isSeen);
      } catch (error) {
        errors.charge(subject, error);
        return undefined;
      }
    },
  };
}
