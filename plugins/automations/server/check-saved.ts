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
 * Checks parts of definitions that need queries: the author's variables, whether the conditions are valid, whether columns accept
 * literal cells, and the steps' own checks of their settings.
 */
export function createCheckSaved(ctx: ServerPluginContext, kinds: Kinds) {
  const variables = ctx.get(VariablesToken);
  const schema = ctx.get(SchemaStoreToken);
  const { predicateOf } = createConditions(ctx);
  const checkCells = createCheckCells(ctx);

  /** @throws TrellisError 400 for conditions with an unknown column or comparison */
  async function checkStart(
    { definition: { trigger, conditions }, tableId = '' }: ReadDefinition,
    scope: AccessScope,
  ): Promise<void> {
    if (!comesToMatch(trigger.type)) return;
    await predicateOf(await schema.open(scope, tableId), conditions);
  }

  /**
   * @param before the saved definition, of which unchanged parts are not checked
   * @throws TrellisError 400 `VARIABLE_UNKNOWN` if a step names a variable that does not exist for this person, and the errors of
   *   conditions and steps
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
