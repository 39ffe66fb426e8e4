/** The values that a template takes from, by the first words of its placeholders. @public */
export type TemplateValues = Readonly<Record<string, unknown>>;

/** Characters of rendered texts at the most, of one or of several that go out together. */
const longest = 256 * 1024;
/**
 * Of three braces where it begins with three: a brace of JSON may follow one of two. What stands within is taken apart afterwards: parts that
 * can be split in several ways would make a long text of blanks take hours.
 */
const placeholder = /\{\{\{(?<within3>[^{}]*)\}\}\}|\{\{(?<within2>[^{}]*)\}\}/g;
const asJson = /^json\s+/;

/** What is left for texts that go out together. @public */
export interface TemplateBudget {
  /** Characters. */
  left: number;
}

/** The budget of one message: all its texts together are as long as one may be alone. @public */
export function templateBudget(): TemplateBudget {
  return { left: longest };
}

/**
 * Fills `{{data.Title}}` and `{{json data}}` in. Only own properties are taken, nothing is run, and a name without a value leaves nothing.
 * Names with blanks stand in brackets: `{{data.[First name]}}`; without them they are understood as well.
 *
 * @param write what is done to each value before it is put in, such as the encoding of a part of an address
 * @param budget shared by the texts of one message; a text alone has its own
 * @throws RangeError for texts that become longer than 256 K characters
 * @public
 */
export function fillTemplate(
  template: string,
  values: TemplateValues,
  write: (text: string) => string = (text) => text,
  budget: TemplateBudget = templateBudget(),
): string {
  spend(budget, template.length);
  let filled = '';
  let end = 0;
  for (const { at, text: written, path, isJson } of placeholdersIn(template)) {
    const value = valueAt(values, path);
    const text = isJson ? JSON.stringify(value ?? null) : textOf(value);
    spend(budget, text.length);
    filled += template.slice(end, at) + write(text);
    end = at + written.length;
  }
  return filled + template.slice(end);
}

function spend(budget: TemplateBudget, characters: number): void {
  budget.left -= characters;
  if (budget.left < 0) throw new RangeError('The text is longer than 256 KB.');
}

/**
 * The value that a template stands for: of one placeholder alone the value itself, a number as a number; otherwise the filled text.
 *
 * @throws RangeError as `fillTemplate`
 * @public
 */
export function templateValue(template: string, values: TemplateValues): unknown {
  const [only] = placeholdersIn(template);
  if (only === undefined || only.isJson || only.text !== template.trim())
    return fillTemplate(template, values);
  return valueAt(values, only.path);
}

/** A placeholder as it stands in a template. @public */
export interface Placeholder {
  /** As it is written, braces included. */
  readonly text: string;
  /** Where it begins: characters before it. */
  readonly at: number;
  /** The names in it, from the first word on. */
  readonly path: readonly string[];
  /** Whether the value is written as JSON. */
  readonly isJson: boolean;
}

/** The placeholders of a template, in their order. @public */
export function placeholdersIn(template: string): readonly Placeholder[] {
  return [...template.matchAll(placeholder)].map(({ 0: text, index: at, groups = {} }) => {
    const within = (groups.within3 ?? groups.within2 ?? '').trimStart();
    return { text, at, path: partsOf(within.replace(asJson, '')), isJson: asJson.test(within) };
  });
}

/** The first word of placeholders that stand for variables: `{{env.NAME}}`. @public */
export const variableRoot = 'env';

/**
 * The names of the variables that templates name, which may stand anywhere within settings. One that names no single variable, such as
 * `{{json env}}`, is called as it is written.
 * @public
 */
export function variablesIn(settings: unknown): readonly string[] {
  const names = textsIn(settings).flatMap((text) =>
    // Most texts have none, and are not looked at twice.
    text.includes(variableRoot)
      ? placeholdersIn(text)
          .filter(({ path: [root] }) => root === variableRoot)
          .map(({ text: written, path: [, name = written] }) => name)
      : [],
  );
  return [...new Set(names)];
}

/** The texts within settings, whatever lists and objects they stand in. @public */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** The placeholder for a path of names: `{{row.[First name]}}`. @public */
export function placeholderFor(path: readonly string[]): string {
  const written = path.map((name) =>
    /^[^\s.[\]{}]+$/.test(name) ? name : `[${name.replace(/[[\]{}]/g, ' ')}]`,
  );
  return `{{${written.join('.')}}}`;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

function partsOf(path: string): readonly string[] {
  // A bracket that is never closed holds the rest, so that no part is looked through twice.
  return [...path.trimEnd().matchAll(/\[([^\]]*)(?:\]|$)|([^.[\]]+)/g)].map(([, bracketed, plain]) =>
    (bracketed ?? plain ?? '').trim(),
  );
}

function valueAt(values: TemplateValues, path: readonly string[]): unknown {
  let value: unknown = values;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return value;
}
