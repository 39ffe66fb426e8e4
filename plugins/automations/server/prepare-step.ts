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

/** A prepared step. Its output is unmasked, for later steps. */
export interface ReadyStep extends PreparedStep {
  /** Hides the secrets that the step and earlier ones use, for logs and dry runs. */
  readonly mask: UsedVariables['mask'];
}

export type PrepareStep = (
  kind: Pick<AutomationStep, 'prepare'>,
  step: StepDefinition,
  run: StepRun,
  signal: AbortSignal,
) => Promise<ReadyStep>;

/**
 * Prepares steps with the variables that their settings name, within the rights of the run. Secret values are hidden in what is
 * shown of a step and in its errors.
 */
export function createPrepareStep(ctx: ServerPluginContext): PrepareStep {
  const variables = ctx.get(VariablesToken);

  /** Includes a mask for what earlier steps have found: the rows in their output may contain a secret. */
  async function usedBy({ settings }: StepDefinition, { scope, before }: StepRun): Promise<UsedVariables> {
    const former = before.map((step) => step.settings);
    try {
      // All together, since one secret may be part of another.
      return await variables.usedIn([...former, settings], scope);
    } catch (error) {
      if (former.length === 0 || !(error instanceof TrellisError)) throw error;
    }
    // A variable that only earlier steps name may have been deleted.
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

/** Runs work whose errors may repeat a secret. */
async function masking<T>({ mask }: UsedVariables, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TrellisError)) throw error;
    const { code, message, status, params } = error;
    const hidden = mask({ message, params });
    // The error itself if it contains no secret: others may recognise it by its class.
    if (JSON.stringify(hidden) === JSON.stringify({ message, params })) throw error;
    throw new TrellisError(code, hidden.message, { status, params: hidden.params });
  }
}
