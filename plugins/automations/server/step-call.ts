import type { AccessScope, AutomationStepCall, UsedVariables } from '@trellis/sdk/server';
import {
  fillTemplate,
  placeholdersIn,
  templateBudget,
  templateValue,
  TrellisError,
  type CellValue,
  type Placeholder,
  type TemplateValues,
} from '@trellis/sdk/shared';
import { mostItems, type StepDefinition } from '../shared/index.ts';
import { automationErrors } from './automation-errors.ts';

/** The run of a step, up to this point. */
export interface StepRun {
  readonly id: string;
  /** The automations that led to it, including its own at the end. */
  readonly chain: readonly string[];
  readonly values: TemplateValues;
  readonly scope: AccessScope;
  /** The earlier steps, whose outputs are in `values`. */
  readonly before: readonly StepDefinition[];
  /** The index of the row for which the step runs. */
  readonly item?: number | undefined;
  /** In a dry run: the paths of values that only a run knows. */
  readonly open?: readonly (readonly string[])[];
}

/** Creates the call that a step gets. */
export function stepCall(
  step: StepDefinition,
  run: StepRun,
  { env, mask }: UsedVariables,
  signal: AbortSignal,
): AutomationStepCall {
  const { scope, item, open = [] } = run;
  const isOpen = ({ path }: Placeholder) =>
    open.some((names) => names.every((name, at) => path[at] === name));
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
    chain: run.chain,
    idempotencyKey: `${run.id}.${step.id}${item === undefined ? '' : `.${item}`}`,
    fill: (template) =>
      limited(() => (typeof template === 'string' ? fillTemplate(template, values, undefined, budget) : '')),
    value: (template, sample = null) =>
      limited(() => {
        if (typeof template !== 'string') return template;
        if (open.length === 0) return templateValue(template, values);
        const placeholders = placeholdersIn(template).filter(isOpen);
        const [only] = placeholders;
        if (only === undefined) return templateValue(template, values);
        if (only.text === template.trim() && !only.isJson) return sample;
        return fillTemplate(withSample(template, placeholders, sample), values);
      }),
    isOpen: (template) => typeof template === 'string' && placeholdersIn(template).some(isOpen),
    mask,
    signal,
  };
}

/** A template with a sample in place of some of its placeholders. */
function withSample(template: string, placeholders: readonly Placeholder[], sample: CellValue): string {
  const text = typeof sample === 'object' ? (sample === null ? '' : JSON.stringify(sample)) : String(sample);
  let filled = '';
  let end = 0;
  for (const { at, text: written, isJson } of placeholders) {
    filled += template.slice(end, at) + (isJson ? JSON.stringify(sample) : text);
    end = at + written.length;
  }
  return filled + template.slice(end);
}

/** The values for a step's templates: own properties only, with the outputs of earlier steps by their names. */
export function valuesWith(
  event: TemplateValues,
  outputs: ReadonlyMap<string, TemplateValues>,
): TemplateValues {
  return { ...event, steps: Object.fromEntries(outputs) };
}

/** The rows for which a step runs, from the output of an earlier one; undefined for a step that runs once. @throws TrellisError */
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
/** Seconds for a step to end after its time limit. */
const endSeconds = 5;

/**
 * Runs a step with its time limit. One that does not end after it fails finally: a retry would run beside it.
 *
 * @throws TrellisError 504 `AUTOMATION_TIMEOUT` for one that ended without a result, `AUTOMATION_TIMEOUT_OPEN` for one that does
 *   not end, and the reason of `ending` once that aborts
 */
export async function withinTime<T>(
  ending: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const after = (seconds: number, act: () => void) =>
    void timers.push(setTimeout(act, seconds * 1000).unref());
  let end = () => undefined as void;
  const late = automationErrors.create('AUTOMATION_TIMEOUT', { seconds: stepSeconds });
  const over = new Promise<never>((_, reject) => {
    end = () => {
      own.abort(ending.reason);
      reject(ending.reason as Error);
    };
    after(stepSeconds, () => {
      own.abort(late);
      const open = { seconds: stepSeconds, final: 'message' };
      after(endSeconds, () => reject(automationErrors.create('AUTOMATION_TIMEOUT_OPEN', open)));
    });
  });
  ending.addEventListener('abort', end, { once: true });
  if (ending.aborted) end();
  try {
    return await Promise.race([over, work(own.signal)]);
  } catch (error) {
    throw own.signal.reason === late && !(error instanceof TrellisError) ? late : error;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    ending.removeEventListener('abort', end);
  }
}
