import { isExpected, type Registry } from '@trellis/core';
import type { ConditionHolder, PluginUnit } from '@trellis/sdk/server';
import type { MovedConditions } from '@trellis/sdk/shared';
import { DatabaseError } from '../../databases/index.ts';
import type { PluginErrors } from '../../runtime/tokens.ts';
import type { Unit } from '../../sql/unit.ts';

/** Gives a plugin access to its own tables within a transaction of the host. */
export type ToPluginUnit = (pluginId: string, unit: Unit) => PluginUnit;

export interface MovedInHoldersDependencies {
  readonly conditionHolders: Registry<ConditionHolder>;
  readonly pluginUnit: ToPluginUnit;
  readonly errors: PluginErrors;
}

/**
 * Lets plugins update conditions in their own tables. An error of a holder refuses the change, since some of these conditions are
 * access rules.
 */
export function createMoveInHolders({ conditionHolders, pluginUnit, errors }: MovedInHoldersDependencies) {
  return async (unit: Unit, moved: MovedConditions): Promise<void> => {
    for (const { item, owner } of conditionHolders.entries()) {
      try {
        await item.moved(pluginUnit(owner, unit), moved);
      } catch (error) {
        // A transaction that the database aborted may be tried again, which is no fault of the plugin.
        if (!isExpected(error) && !(error instanceof DatabaseError))
          errors.charge(conditionHolders.subject(item.id), error);
        throw error;
      }
    }
  };
}
