import type { BudgetSubject } from '@trellis/core';
import type { ViewAddition } from '@trellis/sdk/shared';
import type { PluginErrors } from '../runtime/tokens.ts';

/**
 * Wraps a view addition for all callers. An error is charged to its plugin; then callers see none of the options it keeps, and
 * these stay unchanged.
 */
export function containViewAddition(
  addition: ViewAddition,
  subject: BudgetSubject,
  errors: PluginErrors,
): ViewAddition {
  const { moved } = addition;
  return {
    ...addition,
    ...(moved !== undefined && {
      moved(kept, by) {
        try {
          return moved.call(addition, kept, by);
        } catch (error) {
          errors.charge(subject, error);
          return kept;
        }
      },
    }),
    told(kept, isSeen, to) {
      try {
        return addition.told(kept, isSeen, to);
      } catch (error) {
        errors.charge(subject, error);
        return undefined;
      }
    },
  };
}
