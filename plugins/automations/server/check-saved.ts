import {
  SchemaStoreToken,
  VariablesToken,
  type AccessScope,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { createCheckCells } from './check-cells.ts';
import { createConditions } from './conditions.ts';
import { settingsText, type ReadDefinition } from './definition-input.ts';
import type { Kinds } from './kinds.ts';
import { refusalIn } from './refusal-in.ts';
import { comesToMatch } from './row-triggers.ts';

/**
 * Holds definitions to what has to be asked for: the variables of whoever saves them, whether the conditions can be asked, whether columns
 * take the cells that are written as they stand, and what steps say to their settings.
 */
export function createCheckSaved(ctx: ServerPluginContext, kinds: Kinds) {
  const variables = ctx.get(VariablesToken);
  const schema = ctx.get(SchemaStoreToken);
  const { predicateOf } = createConditions(ctx);
  const checkCells = createCheckCells(ctx);

  /** @throws TrellisError 400 for conditions that name a column or a comparison which is not there */
  async function checkStart(
    { definition: { trigger, conditions }, tableId = '' }: ReadDefinition,
    scope: AccessScope,
  ): Promise<void> {
    if (!comesToMatch(trigger.type)) return;
    await predicateOf(await schema.open(scope, tableId), conditions);
  }

  /**
   * @param before what is saved already, of which what stays as it is is not asked
   * @throws TrellisError 400 `VARIABLE_UNKNOWN` where a step names a variable that is not there, or not for this person,
   * and what conditions and steps throw
   */
  return async (
    read: ReadDefinition,
    scope: AccessScope,
    before?: Pick<ReadDefinition, 'definition'>,
  ): Promise<void> => {
    const { steps } = read.definition;
    await variables.usedIn(
      steps.map(({ settings }) => settings),
      scope,
    );
    if (before === undefined || startOf(before) !== startOf(read)) await checkStart(read, scope);
    const saved = new Set(before?.definition.steps.map(settingsText));
    for (const step of steps) {
      if (saved.has(settingsText(step))) continue;
      try {
        const kind = kinds.step(step.type);
        await checkCells(kind?.inputs ?? [], step.settings, scope);
        await kind?.willSave?.(step.settings);
      } catch (error) {
        throw refusalIn(step.name, error);
      }
    }
  };
}

function startOf({ definition: { trigger, conditions } }: Pick<ReadDefinition, 'definition'>): string {
  return JSON.stringify([trigger, conditions]);
}
