import { VariablesToken, type AccessScope, type ServerPluginContext } from '@trellis/sdk/server';
import type { ReadDefinition } from './definition-input.ts';
import type { Kinds } from './kinds.ts';

type Definition = Pick<ReadDefinition, 'definition'>;

/** Holds definitions to what has to be asked for: the variables of whoever saves them, and what steps say to their settings. */
export function createCheckSaved(ctx: ServerPluginContext, kinds: Kinds) {
  const variables = ctx.get(VariablesToken);

  /**
   * @param before what is saved already, of which steps that stay as they are are not asked
   * @throws TrellisError 400 `VARIABLE_UNKNOWN` where a step names a variable that is not there, or not for this person, and what steps throw
   */
  return async ({ definition }: Definition, scope: AccessScope, before?: Definition): Promise<void> => {
    await variables.usedIn(
      definition.steps.map(({ settings }) => settings),
      scope,
    );
    const saved = new Set(
      before?.definition.steps.map(({ type, settings }) => JSON.stringify([type, settings])),
    );
    for (const { type, settings } of definition.steps)
      if (!saved.has(JSON.stringify([type, settings]))) await kinds.step(type)?.willSave?.(settings);
  };
}
