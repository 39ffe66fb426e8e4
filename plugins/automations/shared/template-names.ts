import {
  placeholderFor,
  placeholdersIn,
  type AutomationInput,
  type AutomationSettings,
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
  /** The titles of the columns of the row that starts the automation; undefined where no row does. */
  readonly columns: readonly string[] | undefined;
  /** The titles of the columns of the row for which the step is taken; undefined where it is taken once. */
  readonly item?: readonly string[] | undefined;
  /** What stands below `{{trigger}}`. */
  readonly trigger: readonly string[];
  /** The steps before this one, with what each gives. */
  readonly steps: readonly { readonly name: string; readonly outputs: readonly string[] }[];
}

/** What can be put into a template. */
export interface OfferedName {
  readonly placeholder: string;
  readonly label: string;
  readonly group: 'item' | 'row' | 'previous' | 'trigger' | 'steps';
}

/** What a trigger of a row gives beside the row. */
export const rowTriggerValues: readonly string[] = ['row', 'user', 'table', 'event'];

/** What the templates of a step can be made of, in the order in which it is offered. */
export function offeredNames({
  columns = [],
  item = [],
  trigger,
  steps,
}: TemplateNames): readonly OfferedName[] {
  const offer = (group: OfferedName['group'], path: readonly string[], label: string): OfferedName => ({
    group,
    placeholder: placeholderFor(path),
    label,
  });
  return [
    ...item.map((title) => offer('item', ['item', title], title)),
    ...columns.map((title) => offer('row', ['row', title], title)),
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
    ...columns.map((title) => offer('previous', ['previous', title], title)),
  ];
}

/** The placeholders of a template behind which nothing stands, as they are written. */
export function wrongPlaceholders(
  template: string,
  { columns, item, trigger, steps }: TemplateNames,
): readonly string[] {
  const isKnown = ([root, name, output]: readonly string[]): boolean => {
    if (root === 'row' || root === 'previous')
      return columns !== undefined && (name === undefined || columns.includes(name));
    if (root === 'item') return item !== undefined && (name === undefined || item.includes(name));
    if (root === 'trigger') return name === undefined || trigger.includes(name);
    if (root !== 'steps' || name === undefined) return false;
    const step = steps.find((of) => of.name === name);
    return step !== undefined && (output === undefined || step.outputs.includes(output));
  };
  return placeholdersIn(template)
    .filter(({ path }) => !isKnown(path))
    .map(({ text }) => text);
}

const withoutTemplates: ReadonlySet<AutomationInput['kind']> = new Set([
  'choice',
  'table',
  'view',
  'columns',
  'part',
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

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Whether an input is asked, by the others of the same step. */
export function isAsked({ when }: AutomationInput, settings: AutomationSettings): boolean {
  return when === undefined || settings[when.input] === when.is;
}
