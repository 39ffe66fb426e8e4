import { isExpected, type Registry } from '@trellis/core';
import type { ConditionHolder, PluginUnit } from '@trellis/sdk/server';
import type { MovedConditions } from '@trellis/sdk/shared';
import { DatabaseError } from '../../databases/index.ts';
import type { PluginErrors } from '../../runtime/tokens.ts';
import type { Unit } from '../../sql/unit.ts';

/** Gives a plugin its own tables within a transaction of the host. */
export type ToPluginUnit = (pluginId: string, unit: Unit) => PluginUnit;

export interface MovedInHoldersDependencies {
  readonly conditionHolders: Registry<ConditionHolder>;
  readonly pluginUnit: ToPluginUnit;
  readonly errors: PluginErrors;
}

/** Lets the conditions that plugins keep in tables of their own follow. What a holder throws refuses the change: some say who sees what. */
export function createMoveInHolders({ conditionHolders, pluginUnit, errors }: MovedInHoldersDependencies) {
  return async (unit: Unit, moved: MovedConditions): Promise<void> => {
    for (const { item, owner } of conditionHolders.entries()) {
      try {
        await item.moved(pluginUnit(owner, unit), moved);
      } catch (error) {
        // A transaction that the database ended may be tried again, and is no fault of the plugin.
        if (!isExpected(error) && !(error instanceof DatabaseError))
          errors.charge(conditionHolders.subject(item.id), error);
        throw error;
      }
    }
  };
}
