import type { BudgetSubject } from '@trellis/core';
import type { ViewAddition } from '@trellis/sdk/shared';
import type { PluginErrors } from '../runtime/tokens.ts';

/** The addition as everybody calls it: what it throws is charged to its plugin, nothing is then told of what it keeps, and that stays as it is. */
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
