import { defineColumnType, type ParseResult } from '@trellis/sdk/shared';

const yes = new Set([
  'true',
  't',
  'yes',
  'y',
  '1',
  'on',
  'checked',
  'x',
  '[x]',
  '✓',
  '✔',
  '☑',
  'done',
  'enabled',
]);
const no = new Set(['false', 'f', 'no', 'n', '0', 'off', 'unchecked', '[ ]', '[]', '☐', 'disabled']);

function parse(input: unknown): ParseResult<boolean> {
  if (input === null || input === undefined) return { ok: true, value: null };
  if (typeof input === 'boolean') return { ok: true, value: input };
  if (input === 1 || input === 0) return { ok: true, value: input === 1 };
  if (typeof input === 'string') {
    const word = input.trim().toLowerCase();
    if (word === '') return { ok: true, value: null };
    if (yes.has(word)) return { ok: true, value: true };
    if (no.has(word)) return { ok: true, value: false };
  }
  return { ok: false, message: 'must be true or false' };
}

/** Yes or no. An empty cell counts as unchecked. */
export const checkbox = defineColumnType<boolean>({
  id: 'Checkbox',
  label: 'Checkbox',
  description: 'Yes or no.',
  icon: 'check-square',
  storage: 'boolean',
  accepts: ['boolean', 'integer', 'bigint', 'string'],
  fallback: 'Number',
  holds: 'number',
  operators: ['eq', 'neq', 'null', 'notnull'],
  order: 50,
  parse,
  // Databases without a boolean type return 1 and 0.
  format: (value) => (value === null ? '' : Boolean(value) && String(value) !== '0' ? 'true' : 'false'),
  guess: (samples) =>
    samples.every((text) => yes.has(text.toLowerCase()) || no.has(text.toLowerCase())) ? 0.85 : 0,
  examples: [
    { input: true, value: true },
    { input: false, value: false },
    { input: 'yes', value: true },
    { input: 0, value: false },
    { input: null, value: null },
  ],
  invalid: ['maybe', 2, { a: 1 }],
  width: 100,
});
