import { defineColumnType, parseText } from '@trellis/sdk/shared';
import { textOperators } from './operators.ts';

/** A short text. The fallbacks of all other types end here. */
export const singleLineText = defineColumnType<string>({
  id: 'SingleLineText',
  label: 'Single line text',
  description: 'A name, a title, a word.',
  icon: 'minus',
  storage: 'string',
  accepts: [
    'string',
    'text',
    'integer',
    'bigint',
    'decimal',
    'float',
    'boolean',
    'date',
    'time',
    'datetime',
    'json',
    'binary',
  ],
  fallback: 'SingleLineText',
  operators: textOperators,
  order: 10,
  parse: parseText,
  format: (value) => (value === null ? '' : String(value)),
  examples: [
    { input: 'Ada', value: 'Ada' },
    { input: 42, value: '42' },
    { input: "O'Neil; -- ?", value: "O'Neil; -- ?" },
    { input: 'čtvrtek 日本 🙂', value: 'čtvrtek 日本 🙂' },
    { input: '', value: '' },
    { input: null, value: null },
  ],
  invalid: [{ a: 1 }, ['a'], 'a\u0000b', '\uD800', 2 ** 53],
  width: 200,
});
