import { defineColumnType, type ParseResult, parseText, type SelectOptions } from '@trellis/sdk/shared';
import { fold, movedTitles, noOptions, optionOf, optionsProblem, optionsSchema } from './options.ts';

const options = { schema: optionsSchema, defaults: noOptions };
const titlesInOrder = ({ options: of }: SelectOptions) => of.map(({ title }) => title);

/** The titles in a cell of several options. */
export function titlesOf(value: string | null): readonly string[] {
  return value === null ? [] : value.split(',').filter((title) => title !== '');
}

function parseSingle(input: unknown, of: SelectOptions): ParseResult<string> {
  const list = Array.isArray(input) && input.length <= 1 ? (input[0] ?? null) : input;
  const read = parseText(list);
  if (!read.ok || read.value === null) return read;
  const title = read.value.trim();
  return { ok: true, value: title === '' ? null : (optionOf(of, title)?.title ?? title) };
}

/** Titles as a list or joined by commas, in their order; each counts once. */
function parseMultiple(input: unknown, of: SelectOptions): ParseResult<string> {
  const parts: unknown[] = Array.isArray(input) ? input : [input];
  const titles = new Map<string, string>();
  for (const part of parts) {
    const read = parseText(part);
    if (!read.ok) return read;
    for (const text of (read.value ?? '').split(',')) {
      const title = text.trim();
      if (title !== '')
        titles.set(fold(title), titles.get(fold(title)) ?? optionOf(of, title)?.title ?? title);
    }
  }
  return { ok: true, value: titles.size === 0 ? null : [...titles.values()].join(',') };
}

/** One option of a list. */
export const singleSelect = defineColumnType<string, SelectOptions>({
  id: 'SingleSelect',
  label: 'Single select',
  description: 'One option of a list.',
  icon: 'circle',
  storage: 'text',
  accepts: ['text', 'string'],
  fallback: 'SingleLineText',
  storesParsed: true,
  operators: ['eq', 'neq', 'anyof', 'noneof', 'like', 'nlike', 'null', 'notnull'],
  order: 52,
  stacks: 'options',
  options,
  valuesInOrder: titlesInOrder,
  checkOptions: (of) => optionsProblem(of, false),
  convertOptions: (before, after) => {
    const moved = movedTitles(before, after);
    return (
      moved && {
        convert: (title) => {
          const value = moved(title);
          return { value, lost: value === null };
        },
      }
    );
  },
  parse: (input, column) => parseSingle(input, column.options),
  format: (value) => (value === null ? '' : String(value)),
  guess: (samples) => (fewDifferent(samples) ? 0.4 : 0),
  examples: [
    { input: 'Ready', value: 'Ready' },
    { input: ' In progress ', value: 'In progress' },
    { input: ['Done'], value: 'Done' },
    { input: '', value: null },
    { input: null, value: null },
  ],
  invalid: [{ a: 1 }, ['a', 'b'], 'a\u0000b'],
  width: 160,
});

/** Several options of a list. */
export const multiSelect = defineColumnType<string, SelectOptions>({
  id: 'MultiSelect',
  label: 'Multiple select',
  description: 'Several options of a list.',
  icon: 'list',
  storage: 'text',
  accepts: ['text', 'string'],
  fallback: 'SingleLineText',
  storesParsed: true,
  operators: ['anyof', 'allof', 'noneof', 'eq', 'neq', 'like', 'nlike', 'null', 'notnull'],
  order: 54,
  separator: ',',
  options,
  valuesInOrder: titlesInOrder,
  checkOptions: (of) => optionsProblem(of, true),
  convertOptions: (before, after) => {
    const moved = movedTitles(before, after);
    if (moved === undefined) return undefined;
    return {
      convert: (value) => {
        const before = titlesOf(value);
        const after = before.flatMap((title) => moved(title) ?? []);
        return { value: after.length === 0 ? null : after.join(','), lost: after.length < before.length };
      },
    };
  },
  parse: (input, column) => parseMultiple(input, column.options),
  format: (value) => (value === null ? '' : String(value)),
  // Before the single select, which also fits texts with few different combinations.
  guess: (samples) => (fewTogether(samples) ? 0.5 : 0),
  examples: [
    { input: 'red,green', value: 'red,green' },
    { input: ['red', ' blue '], value: 'red,blue' },
    { input: 'red, red, RED', value: 'red' },
    { input: '', value: null },
    { input: [], value: null },
    { input: null, value: null },
  ],
  invalid: [{ a: 1 }, [['a']], 'a\u0000b'],
  width: 220,
});

/** Fewer texts do not show repetitions. */
const fewestSamples = 12;
const longestWord = 40;

/** Words that repeat often are options of a list. */
function fewDifferent(samples: readonly string[]): boolean {
  if (samples.length < fewestSamples || samples.some((text) => text.length > longestWord)) return false;
  return new Set(samples.map(fold)).size <= Math.min(12, samples.length / 4);
}

/**
 * Comma-separated words that repeat often, in changing combinations, are options of a multiple select. A town and its country
 * always occur together, so they are one text; digits between commas are a number.
 */
function fewTogether(samples: readonly string[]): boolean {
  if (samples.length < fewestSamples || !samples.some((text) => text.includes(','))) return false;
  if (samples.some((text) => text.length > 5 * longestWord)) return false;
  const words = samples.flatMap((text) => text.split(',').map(fold)).filter((word) => word !== '');
  if (!words.every((word) => word.length <= longestWord && /\p{L}/u.test(word))) return false;
  const different = new Set(words).size;
  return different <= Math.min(24, samples.length / 2) && different <= new Set(samples.map(fold)).size;
}
