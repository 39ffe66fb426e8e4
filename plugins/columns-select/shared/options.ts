import {
  longestOptionTitle,
  type JsonSchema,
  type Refusal,
  type SelectOption,
  type SelectOptions,
  type SettingsSchema,
} from '@trellis/sdk/shared';

export const noOptions: SelectOptions = { options: [] };

export const mostOptions = 500;

const option: JsonSchema = {
  type: 'object',
  required: ['id', 'title', 'color'],
  properties: {
    id: { type: 'string', minLength: 1, maxLength: 40 },
    title: { type: 'string', maxLength: longestOptionTitle },
    color: { type: 'string', pattern: '^#[0-9a-fA-F]{6}$' },
  },
};

export const optionsSchema: SettingsSchema = {
  type: 'object',
  properties: {
    options: { type: 'array', title: 'Options', maxItems: mostOptions, default: [], items: option },
  },
};

/** Options that differ only in case are equal. */
export const fold = (title: string): string => title.trim().toLowerCase();

/** The problem of a list of options, in the words of the v1 API. */
export function optionsProblem({ options }: SelectOptions, isMultiple: boolean): Refusal | undefined {
  if (options.some(({ title }) => title.trim() === '')) return { message: 'Empty options are not allowed!' };
  if (isMultiple && options.some(({ title }) => title.includes(',')))
    return { message: "Illegal char(',') for MultiSelect" };
  const titles = new Set(options.map(({ title }) => fold(title)));
  const ids = new Set(options.map(({ id }) => id));
  return titles.size < options.length || ids.size < options.length
    ? { message: 'Duplicates are not allowed!' }
    : undefined;
}

const found = new WeakMap<readonly SelectOption[], ReadonlyMap<string, SelectOption>>();

/** The option of a title. The options of a column are indexed once. */
export function optionOf({ options }: SelectOptions, title: string): SelectOption | undefined {
  let byTitle = found.get(options);
  if (byTitle === undefined) {
    byTitle = new Map(options.map((of) => [fold(of.title), of]));
    found.set(options, byTitle);
  }
  return byTitle.get(fold(title));
}

/** The changes of titles when options change: to another title, or to null if the option was deleted. Undefined if all stay. */
export function movedTitles(
  before: SelectOptions,
  after: SelectOptions,
): ((title: string) => string | null) | undefined {
  const next = new Map(after.options.map((of) => [of.id, of.title]));
  const kept = new Map(after.options.map((of) => [fold(of.title), of.title]));
  const moved = new Map<string, string | null>();
  for (const { id, title } of before.options) {
    // A client that sends no ids names options by their titles.
    const to = next.get(id) ?? kept.get(fold(title)) ?? null;
    if (to !== title) moved.set(fold(title), to);
  }
  if (moved.size === 0) return undefined;
  return (title) => {
    const to = moved.get(fold(title));
    return to === undefined ? title : to;
  };
}
