import {
  placeholderFor,
  templateProblems,
  textsIn,
  variableRoot,
  variablesShape,
  type AutomationInput,
  type AutomationSettings,
  type TemplateProblem,
  type TemplateShape,
} from '@trellis/sdk/shared';

/** What a step gives that is taken for each row: for how many it was, and for how many it failed. */
export const eachOutputs: readonly string[] = ['count', 'failed'];

interface NamedStep {
  readonly settings: AutomationSettings;
  readonly each?: object;
}

/** What a step gives to the ones behind it. */
export function outputsOf({ each }: NamedStep, outputs: readonly string[]): readonly string[] {
  return each === undefined ? outputs : eachOutputs;
}

/** The table of the rows that a step finds; undefined for one that finds none. */
export function foundTable({ settings, each }: NamedStep, outputs: readonly string[]): string | undefined {
  if (each !== undefined || !outputs.includes('rows')) return undefined;
  return typeof settings.table === 'string' ? settings.table : undefined;
}

/** What the templates of a step may name. */
export interface TemplateNames {
  /** By titles, the columns of the row that starts the automation; undefined where no row does. */
  readonly columns: Cells | undefined;
  /** By titles, the columns of the row for which the step is taken; undefined where it is taken once. */
  readonly item?: Cells | undefined;
  /** What stands below `{{trigger}}`. */
  readonly trigger: readonly string[];
  /** The steps before this one, with what each gives. */
  readonly steps: readonly { readonly name: string; readonly outputs: readonly string[] }[];
  /** Whether the row was not there before, so that no former one is offered. */
  readonly isNew?: boolean;
  /** The names of the variables of the project; undefined where they are not known (yet). */
  readonly variables?: readonly string[] | undefined;
}

/** What stands behind the titles of columns. */
type Cells = Readonly<Record<string, TemplateShape>>;

/** What can be put into a template. */
export interface OfferedName {
  readonly placeholder: string;
  readonly label: string;
  readonly group: 'item' | 'row' | 'previous' | 'trigger' | 'steps' | 'variables';
}

/** What a trigger of a row gives beside the row. */
export const rowTriggerValues: readonly string[] = ['row', 'user', 'table', 'event'];

/** What the templates of a step can be made of, in the order in which it is offered. */
export function offeredNames({
  columns = {},
  item = {},
  trigger,
  steps,
  variables = [],
  isNew = false,
}: TemplateNames): readonly OfferedName[] {
  const offer = (group: OfferedName['group'], path: readonly string[], label: string): OfferedName => ({
    group,
    placeholder: placeholderFor(path),
    label,
  });
  return [
    ...Object.keys(item).map((title) => offer('item', ['item', title], title)),
    ...Object.keys(columns).map((title) => offer('row', ['row', title], title)),
    ...steps.flatMap(({ name, outputs }) =>
      outputs.map((output) => offer('steps', ['steps', name, output], `${name}: ${output}`)),
    ),
    ...trigger.flatMap((name) =>
      name === 'user'
        ? [offer('trigger', ['trigger', 'user', 'email'], 'user.email')]
        : name === 'table'
          ? [offer('trigger', ['trigger', 'table', 'title'], 'table.title')]
          : name === 'event'
            ? [offer('trigger', ['trigger', 'event', 'at'], 'event.at')]
            : [offer('trigger', ['trigger', name], name)],
    ),
    ...variables.map((name) => offer('variables', [variableRoot, name], name)),
    ...(isNew ? [] : Object.keys(columns).map((title) => offer('previous', ['previous', title], title))),
  ];
}

/** What stands behind the names that the templates of a step may use. */
export function shapeOf({ columns, item, trigger, steps, variables }: TemplateNames): TemplateShape {
  const any = (names: readonly string[]): TemplateShape => ({
    names: Object.fromEntries(names.map((name) => [name, 'any' as const])),
  });
  return {
    names: {
      ...(columns !== undefined && { row: { names: columns }, previous: { names: columns } }),
      ...(item !== undefined && { item: { names: item } }),
      trigger: any(trigger),
      steps: {
        names: Object.fromEntries(steps.map(({ name, outputs }) => [name, any(outputs)])),
        isWhole: false,
      },
      [variableRoot]: variables === undefined ? 'any' : variablesShape(variables),
    },
  };
}

/** The placeholders of a template behind which nothing stands, or that are not closed. */
export function wrongPlaceholders(template: string, names: TemplateNames): readonly TemplateProblem[] {
  return templateProblems(template, shapeOf(names));
}

const withoutTemplates: ReadonlySet<AutomationInput['kind']> = new Set([
  'choice',
  'table',
  'view',
  'columns',
  'part',
  'time',
]);

/** The templates among the settings of a trigger or a step. */
export function templatesIn(
  inputs: readonly AutomationInput[],
  settings: AutomationSettings,
): readonly string[] {
  return inputs.flatMap(({ id, kind }) => {
    const value = Object.hasOwn(settings, id) ? settings[id] : undefined;
    return withoutTemplates.has(kind) ? [] : textsIn(value);
  });
}

/** Whether an input is asked, by the others of the same step. */
export function isAsked({ when }: AutomationInput, settings: AutomationSettings): boolean {
  return when === undefined || settings[when.input] === when.is;
}
