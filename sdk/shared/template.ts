/** The values for a template, by the first name in its placeholders. @public */
export type TemplateValues = Readonly<Record<string, unknown>>;

/** The most characters of rendered texts, of one text or of several that are sent together. */
const longest = 256 * 1024;
/**
 * Begins with three braces if there are three, since after two a brace of JSON may follow. The content is split afterwards: a
 * pattern that can split it in several ways would take hours for a long text of blanks.
 */
const placeholder = /\{\{\{(?<within3>[^{}]*)\}\}\}|\{\{(?<within2>[^{}]*)\}\}/g;
const asJson = /^json\s+/;

/** The characters left for texts that are sent together. @public */
export interface TemplateBudget {
  /** Characters. */
  left: number;
}

/** The budget of one message: all its texts together may be as long as a single one. @public */
export function templateBudget(): TemplateBudget {
  return { left: longest };
}

/**
 * Fills in `{{data.Title}}` and `{{json data}}`. Only own properties are read, no code is run, and a name without a value gives
 * an empty text. Names with blanks are written in brackets: `{{data.[First name]}}`; they also work without.
 *
 * @param write converts each value before it is inserted, such as the encoding for a part of an address
 * @param budget shared by the texts of one message; a text alone has its own
 * @throws RangeError for results of more than 256 K characters
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
 * The value of a template: for a single placeholder the value itself, a number as a number; otherwise the filled text.
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

/** A placeholder in a template. @public */
export interface Placeholder {
  /** The placeholder as written, including braces. */
  readonly text: string;
  /** Its position: the number of characters before it. */
  readonly at: number;
  /** The names in it, beginning with the first. */
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

/** The first name in placeholders for variables: `{{env.NAME}}`. @public */
export const variableRoot = 'env';

/**
 * The names of variables in templates anywhere within settings. A placeholder that names no single variable, such as `{{json
 * env}}`, is listed as written.
 * @public
 */
export function variablesIn(settings: unknown): readonly string[] {
  const names = textsIn(settings).flatMap((text) =>
    // Most texts contain none, so this check saves time.
    text.includes(variableRoot)
      ? placeholdersIn(text)
          .filter(({ path: [root] }) => root === variableRoot)
          .map(({ text: written, path: [, name = written] }) => name)
      : [],
  );
  return [...new Set(names)];
}

/** All texts within settings, in any lists and objects. @public */
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
  // A bracket that is never closed contains the rest, so that no part is read twice.
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
