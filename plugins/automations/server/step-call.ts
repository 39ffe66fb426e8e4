import type { AccessScope, AutomationStepCall, UsedVariables } from '@trellis/sdk/server';
import { fillTemplate, templateBudget, templateValue, type TemplateValues } from '@trellis/sdk/shared';
import { mostItems, type StepDefinition } from '../shared/index.ts';
import { automationErrors } from './automation-errors.ts';

/** The run that a step is a part of, as far as it came. */
export interface StepRun {
  readonly id: string;
  readonly values: TemplateValues;
  readonly scope: AccessScope;
  /** The steps before it, whose outputs its values hold. */
  readonly before: readonly StepDefinition[];
  /** The place of the row for which the step is taken. */
  readonly item?: number | undefined;
}

/** Makes what a step is given. */
export function stepCall(
  step: StepDefinition,
  run: StepRun,
  { env, mask }: UsedVariables,
  signal: AbortSignal,
): AutomationStepCall {
  const { scope, item } = run;
  const values: TemplateValues = { ...run.values, env };
  const budget = templateBudget();
  const limited = <T>(make: () => T): T => {
    try {
      return make();
    } catch (error) {
      if (error instanceof RangeError) throw automationErrors.create('AUTOMATION_TEXT_LONG');
      throw error;
    }
  };
  return {
    settings: step.settings,
    values,
    scope,
    idempotencyKey: `${run.id}.${step.id}${item === undefined ? '' : `.${item}`}`,
    fill: (template) =>
      limited(() => (typeof template === 'string' ? fillTemplate(template, values, undefined, budget) : '')),
    value: (template) =>
      limited(() => (typeof template === 'string' ? templateValue(template, values) : template)),
    mask,
    signal,
  };
}

/** What templates of a step may take from: own names alone, the outputs of the steps before by their names. */
export function valuesWith(
  event: TemplateValues,
  outputs: ReadonlyMap<string, TemplateValues>,
): TemplateValues {
  return { ...event, steps: Object.fromEntries(outputs) };
}

/** The rows for which a step is taken, as another one before it gave them; undefined for one that is taken once. @throws TrellisError */
export function itemsOf(
  { name, each }: StepDefinition,
  steps: readonly StepDefinition[],
  outputs: ReadonlyMap<string, TemplateValues>,
): readonly unknown[] | undefined {
  if (each === undefined) return undefined;
  const source = steps.find(({ id }) => id === each.step);
  const rows = source === undefined ? undefined : outputs.get(source.name)?.rows;
  if (!Array.isArray(rows)) throw automationErrors.create('AUTOMATION_EACH', { step: name });
  if (rows.length > mostItems)
    throw automationErrors.create('AUTOMATION_ITEMS', { step: name, most: mostItems });
  return rows as readonly unknown[];
}

export const stepSeconds = 60;

/** Gives a step its time. @throws TrellisError 504 `AUTOMATION_TIMEOUT`, and the reason of `ending` once that aborts */
export async function withinTime<T>(
  ending: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const end = () => own.abort(ending.reason);
  const over = new Promise<never>((_, reject) => {
    own.signal.addEventListener('abort', () => reject(own.signal.reason as Error), { once: true });
    const late = automationErrors.create('AUTOMATION_TIMEOUT', { seconds: stepSeconds });
    timer = setTimeout(() => own.abort(late), stepSeconds * 1000);
    timer.unref();
  });
  ending.addEventListener('abort', end, { once: true });
  if (ending.aborted) end();
  try {
    return await Promise.race([over, work(own.signal)]);
  } finally {
    clearTimeout(timer);
    ending.removeEventListener('abort', end);
  }
}
