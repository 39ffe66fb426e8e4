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

/** What a step would do, ready to be done. Its output holds whatever it holds, for the steps behind it. */
export interface ReadyStep extends PreparedStep {
  /** Takes the secrets out that the step and those before it name: for what logs and dry runs show. */
  readonly mask: UsedVariables['mask'];
}

export type PrepareStep = (
  kind: Pick<AutomationStep, 'prepare'>,
  step: StepDefinition,
  run: StepRun,
  signal: AbortSignal,
) => Promise<ReadyStep>;

/**
 * Makes steps ready with the variables that their settings name, as far as the rights of the run let them. What is shown of a step, and what
 * its errors say, is without the values of secret ones.
 */
export function createPrepareStep(ctx: ServerPluginContext): PrepareStep {
  const variables = ctx.get(VariablesToken);

  /** With the mask for what steps before have found as well: a secret may stand in the rows that they give on. */
  async function usedBy({ settings }: StepDefinition, { scope, before }: StepRun): Promise<UsedVariables> {
    const former = before.map((step) => step.settings);
    try {
      // All together, since one secret may be a part of another.
      return await variables.usedIn([...former, settings], scope);
    } catch (error) {
      if (former.length === 0 || !(error instanceof TrellisError)) throw error;
    }
    // A variable that only steps before have named may be gone since.
    const masks = await Promise.all(
      former.map(async (of) => {
        const used = await variables.usedIn(of, scope).catch(() => undefined);
        return used?.mask ?? (<T>(shown: T) => shown);
      }),
    );
    const { env, mask } = await variables.usedIn(settings, scope);
    return { env, mask: (shown) => masks.reduce((of, hide) => hide(of), mask(shown)) };
  }

  return async (kind, step, run, signal) => {
    const used = await usedBy(step, run);
    return masking(used, async () => {
      const { shown, expected, open, check, take } = await kind.prepare(stepCall(step, run, used, signal));
      return {
        shown: used.mask(shown),
        expected,
        ...(open && { open }),
        ...(check && { check: () => masking(used, check) }),
        mask: used.mask,
        take: () => masking(used, take),
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
