/** What a template may name, by its first word. */
export const templateRoots = ['data', 'row', 'previous', 'user', 'table', 'event', 'hook'] as const;

/** The body of a request where nobody wrote another: the whole row. (In quotes it would be taken for a text of the page.) */
export const defaultBody = `{{ json data }}`;

/** The values that a template takes from. `row` is another word for `data`. */
export type TemplateValues = Readonly<Record<string, unknown>>;

/** Characters of a rendered text at the most. */
const longest = 256 * 1024;
const placeholder = /\{\{\{?\s*(json\s+)?([^{}]*?)\s*\}?\}\}/g;

/**
 * Fills `{{data.Title}}` and `{{json data}}` in. Only own properties are taken, nothing is run, and a name without a value leaves nothing.
 * Names with blanks stand in brackets: `{{data.[First name]}}`; without them they are understood as well.
 *
 * @throws RangeError for a text that becomes longer than 256 K characters
 */
export function fillTemplate(
  template: string,
  values: TemplateValues,
  write: (text: string) => string = (text) => text,
): string {
  let length = template.length;
  return template.replace(placeholder, (_, json: string | undefined, path: string) => {
    const value = valueAt(values, path);
    const text = json === undefined ? textOf(value) : JSON.stringify(value ?? null);
    length += text.length;
    if (length > longest) throw new RangeError('The text of the webhook is longer than 256 KB.');
    return write(text);
  });
}

/** The placeholders that name nothing that a webhook knows, as they are written. */
export function unknownPlaceholders(template: string): readonly string[] {
  return [...template.matchAll(placeholder)]
    .filter(([, , path = '']) => !templateRoots.some((root) => root === partsOf(path)[0]))
    .map(([whole]) => whole);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

function partsOf(path: string): readonly string[] {
  return [...path.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, bracketed, plain]) =>
    (bracketed ?? plain ?? '').trim(),
  );
}

function valueAt(values: TemplateValues, path: string): unknown {
  let value: unknown = values;
  for (const part of partsOf(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return value;
}
