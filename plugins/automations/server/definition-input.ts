import type { AutomationStep, ProjectSnapshot, TableSchema } from '@trellis/sdk/server';
import {
  cellShapes,
  isPrintable,
  readTimePlan,
  refusalText,
  type AutomationInput,
  type AutomationSettings,
  type JsonSchema,
  type TemplateProblem,
  type TrellisError,
} from '@trellis/sdk/shared';
import {
  foundTable,
  isAsked,
  mostConditions,
  mostSteps,
  outputsOf,
  templatesIn,
  timePlanIn,
  wrongPlaceholders,
  type AutomationDefinition,
  type StepDefinition,
  type TemplateNames,
} from '../shared/index.ts';
import { automationErrors } from './automation-errors.ts';
import { hasCondition, readConditions } from './conditions.ts';
import type { Kinds } from './kinds.ts';
import { refusalIn } from './refusal-in.ts';
import { checkConditions } from './row-triggers.ts';

const settingsSchema: JsonSchema = { type: 'object', maxProperties: 50 };

/** The body that creates or changes an automation. */
export const definitionSchema: JsonSchema = {
  type: 'object',
  properties: {
    title: { type: 'string', maxLength: 1000 },
    trigger: {
      type: 'object',
      required: ['type', 'settings'],
      properties: { type: { type: 'string', maxLength: 100 }, settings: settingsSchema },
    },
    conditions: { type: 'array', maxItems: mostConditions, items: { type: 'object' } },
    steps: {
      type: 'array',
      maxItems: mostSteps,
      items: {
        type: 'object',
        required: ['id', 'name', 'type', 'settings'],
        properties: {
          id: { type: 'string', pattern: '^[0-9A-Za-z_-]{1,40}$' },
          name: { type: 'string', maxLength: 60 },
          type: { type: 'string', maxLength: 100 },
          settings: settingsSchema,
          each: {
            type: 'object',
            required: ['step'],
            properties: { step: { type: 'string', maxLength: 40 }, goesOn: { type: 'boolean' } },
          },
        },
      },
    },
    active: { type: 'boolean' },
  },
};

function wrongPlaceholder(step: string, { kind, text: placeholder, line }: TemplateProblem): TrellisError {
  return kind === 'open'
    ? automationErrors.create('AUTOMATION_PLACEHOLDER_OPEN', { step, placeholder, line })
    : automationErrors.create('AUTOMATION_PLACEHOLDER', { step, placeholder });
}

const stepName = /^\p{L}[\p{L}\p{N}_ ]{0,59}$/u;
const longestTitle = 255;

/** The parsed definition, and the table whose rows start it. */
export interface ReadDefinition {
  readonly definition: AutomationDefinition;
  readonly tableId: string | undefined;
}

/**
 * Parses a definition, with errors for its author.
 *
 * @param of.kept the saved definition: its unchanged steps are not checked by their kinds, which may refuse today what they
 *   accepted
 * @throws TrellisError 400
 */
export function readDefinition(
  given: AutomationDefinition,
  of: {
    readonly kinds: Kinds;
    readonly snapshot: ProjectSnapshot;
    readonly kept?: AutomationDefinition | undefined;
    /** The fewest steps: none for an automation that is off, whose trigger can be tried before it has any. */
    readonly fewest?: 0 | 1;
  },
): ReadDefinition {
  const { kinds, snapshot, fewest = 1 } = of;
  const kept = new Set(of.kept?.steps.map(settingsText));
  const title = given.title.trim();
  if (title === '' || title.length > longestTitle || !isPrintable(title))
    throw automationErrors.create('AUTOMATION_TITLE');
  const { type } = given.trigger;
  const trigger = kinds.trigger(type);
  if (trigger === undefined) throw automationErrors.create('AUTOMATION_TRIGGER', { type });
  const { settings } = kinds.upgraded(given).trigger;
  readInputs(trigger.label, trigger.inputs, settings, snapshot);
  try {
    trigger.check?.(settings, snapshot);
  } catch (error) {
    throw refusalIn(trigger.label, error);
  }
  const table =
    trigger.table === undefined ? undefined : snapshot.tables.get(textOf(settings[trigger.table]));
  checkConditions(type, readConditions(given.conditions), table !== undefined);
  if (given.steps.length < fewest || given.steps.length > mostSteps)
    throw automationErrors.create('AUTOMATION_STEPS', { most: mostSteps });

  const before: {
    readonly name: string;
    readonly outputs: readonly string[];
    readonly id: string;
    /** The table of the rows that it finds. */
    readonly found: string | undefined;
  }[] = [];
  const ids = new Set<string>();
  const steps = given.steps.map((step): StepDefinition => {
    const kind = kinds.step(step.type);
    if (kind === undefined) throw automationErrors.create('AUTOMATION_STEP', { type: step.type });
    const name = step.name.trim();
    if (!stepName.test(name) || before.some((other) => other.name === name) || ids.has(step.id))
      throw automationErrors.create('AUTOMATION_STEP_NAME', { name });
    const { each } = step;
    const found = before.find(({ id }) => id === each?.step)?.found;
    const itemTable = found === undefined ? undefined : snapshot.tables.get(found);
    if (each !== undefined && itemTable === undefined)
      throw automationErrors.create('AUTOMATION_EACH', { step: name });
    const names: TemplateNames = {
      item: itemTable && cellShapes(itemTable.columns),
      columns: table && cellShapes(table.columns),
      trigger: trigger.values ?? [],
      steps: before,
    };
    readInputs(name, kind.inputs, step.settings, snapshot);
    const [wrong] = templatesIn(kind.inputs, step.settings).flatMap((text) => wrongPlaceholders(text, names));
    if (wrong !== undefined) throw wrongPlaceholder(name, wrong);
    try {
      if (!kept.has(settingsText(step))) kind.check?.(step.settings, snapshot);
    } catch (error) {
      throw refusalIn(name, error);
    }
    before.push({
      name,
      id: step.id,
      outputs: outputsOf(step, kind.outputs),
      found: foundTable(step, kind.outputs),
    });
    ids.add(step.id);
    return {
      id: step.id,
      name,
      type: step.type,
      settings: askedOf(kind, step.settings),
      ...(each !== undefined && { each: { step: each.step, goesOn: each.goesOn ?? false } }),
    };
  });
  const { conditions } = given;
  const asked = askedOf(trigger, settings);
  return { definition: { title, trigger: { type, settings: asked }, conditions, steps }, tableId: table?.id };
}

/** Equal for steps that do the same. */
export function settingsText({ type, settings }: Pick<StepDefinition, 'type' | 'settings'>): string {
  return JSON.stringify([type, settings]);
}

/** Settings without properties that the step does not ask for. */
function askedOf(
  { inputs, keeps = [] }: Pick<AutomationStep, 'inputs' | 'keeps'>,
  settings: AutomationSettings,
): AutomationSettings {
  const ids = new Set([...inputs.map(({ id }) => id), ...keeps]);
  return Object.fromEntries(Object.entries(settings).filter(([key]) => ids.has(key)));
}

/** Checks settings against the step's inputs. */
function readInputs(
  step: string,
  inputs: readonly AutomationInput[],
  settings: AutomationSettings,
  snapshot: ProjectSnapshot,
): void {
  for (const input of inputs) {
    if (!isAsked(input, settings)) continue;
    const value = settings[input.id];
    if (input.isRequired === true && isEmpty(value))
      throw automationErrors.create('AUTOMATION_INPUT', { step, input: input.label });
    if (isEmpty(value)) continue;
    const table = tableOf(input, settings, snapshot);
    if (input.kind === 'table' && table === undefined)
      throw automationErrors.create('AUTOMATION_TABLE', { step });
    if (input.kind === 'view' && !isViewOf(table, input, value))
      throw automationErrors.create('AUTOMATION_VIEW', { step });
    if (input.kind === 'time') checkTime(step, input, value);
    if (input.kind === 'conditions') {
      if (!Array.isArray(value)) throw automationErrors.create('AUTOMATION_CONDITION');
      if (!hasCondition(readConditions(value)) && input.isRequired === true)
        throw automationErrors.create('AUTOMATION_INPUT', { step, input: input.label });
    }
    if (input.kind !== 'columns' && input.kind !== 'cells') continue;
    const ids = input.kind === 'columns' ? listOf(value) : keysOf(value);
    if (ids?.every((id) => typeof id === 'string' && table?.columnById.has(id)) !== true)
      throw automationErrors.create('AUTOMATION_COLUMN', { step });
  }
}

function checkTime(step: string, { label }: AutomationInput, value: unknown): void {
  const plan = timePlanIn(value);
  if (plan === undefined) throw automationErrors.create('AUTOMATION_INPUT', { step, input: label });
  const read = readTimePlan(plan);
  if (!read.ok)
    throw automationErrors.create('AUTOMATION_TIME', {
      step,
      input: label,
      reason: refusalText(read.problem),
    });
}

function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function keysOf(value: unknown): readonly string[] | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.keys(value)
    : undefined;
}

function isViewOf(table: TableSchema | undefined, { only }: AutomationInput, value: unknown): boolean {
  const view = table?.views.find(({ id }) => id === value);
  return view !== undefined && (only === undefined || view.type === only);
}

function tableOf(
  { id, kind, table }: AutomationInput,
  settings: AutomationSettings,
  { tables }: ProjectSnapshot,
): TableSchema | undefined {
  return tables.get(textOf(settings[kind === 'table' ? id : (table ?? '')]));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.keys(value).length === 0;
}
