import {
  VariablesToken,
  type AutomationStep,
  type PreparedStep,
  type ServerPluginContext,
  type UsedVariables,
} from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import type { StepDefinition } from '../shared/index.ts';
import { stepCall, type StepRun } from './step-call.ts';

export type PrepareStep = (
  kind: Pick<AutomationStep, 'prepare'>,
  step: StepDefinition,
  run: StepRun,
  signal: AbortSignal,
) => Promise<PreparedStep>;

/**
 * Makes steps ready with the variables that their settings name, as far as the rights of the run let them. Whatever comes of a step is
 * without the values of secret ones.
 */
export function createPrepareStep(ctx: ServerPluginContext): PrepareStep {
  const variables = ctx.get(VariablesToken);
  return async (kind, step, run, signal) => {
    const used = await variables.usedIn(step.settings, run.scope);
    return masking(used, async () => {
      const { shown, expected, take } = await kind.prepare(stepCall(step, run, used, signal));
      return {
        shown: used.mask(shown),
        expected: used.mask(expected),
        take: () =>
          masking(used, async () => {
            const { output, ...rest } = await take();
            return { ...rest, output: used.mask(output) };
          }),
      };
    });
  };
}

/** Does what may fail with words that repeat a secret. */
async function masking<T>({ mask }: UsedVariables, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TrellisError)) throw error;
    const { code, message, status, params } = error;
    const hidden = mask({ message, params });
    // The error itself where it says no secret: others may know it by its class.
    if (JSON.stringify(hidden) === JSON.stringify({ message, params })) throw error;
    throw new TrellisError(code, hidden.message, { status, params: hidden.params });
  }
}
