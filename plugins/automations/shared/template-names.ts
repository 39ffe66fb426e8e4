import {
  placeholderFor,
  placeholdersIn,
  type AutomationInput,
  type AutomationSettings,
} from '@trellis/sdk/shared';

/** What the templates of a step may name. */
export interface TemplateNames {
  /** The titles of the columns of the row that starts the automation; undefined where no row does. */
  readonly columns: readonly string[] | undefined;
  /** What stands below `{{trigger}}`. */
  readonly trigger: readonly string[];
  /** The steps before this one, with what each gives. */
  readonly steps: readonly { readonly name: string; readonly outputs: readonly string[] }[];
}

/** What can be put into a template. */
export interface OfferedName {
  readonly placeholder: string;
  readonly label: string;
  readonly group: 'row' | 'previous' | 'trigger' | 'steps';
}

/** What a trigger of a row gives beside the row. */
export const rowTriggerValues: readonly string[] = ['row', 'user', 'table', 'event'];

/** What the templates of a step can be made of, in the order in which it is offered. */
export function offeredNames({ columns = [], trigger, steps }: TemplateNames): readonly OfferedName[] {
  const offer = (group: OfferedName['group'], path: readonly string[], label: string): OfferedName => ({
    group,
    placeholder: placeholderFor(path),
    label,
  });
  return [
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
  { columns, trigger, steps }: TemplateNames,
): readonly string[] {
  const isKnown = ([root, name, output]: readonly string[]): boolean => {
    if (root === 'row' || root === 'previous')
      return columns !== undefined && (name === undefined || columns.includes(name));
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
