import { defineColumnType, nestsDeeperThan, type CellValue, type ParseResult } from '@trellis/sdk/shared';
import { textProblem } from './text-values.ts';

const maximumDepth = 100;

function checked(value: CellValue): ParseResult<CellValue> {
  if (nestsDeeperThan(value, maximumDepth))
    return { ok: false, message: `must not nest deeper than ${maximumDepth} levels` };
  const text = JSON.stringify(value);
  // Escapes would hide a NUL from the check of the text.
  const problem =
    textProblem(text) ??
    (/(?<!\\)(?:\\\\)*\\u0000/.test(text) ? 'must not hold the NUL character' : undefined);
  return problem === undefined ? { ok: true, value } : { ok: false, message: problem };
}

/** Any JSON. A text is read as JSON; objects and lists may be sent as they are. */
export const json = defineColumnType<CellValue>({
  id: 'JSON',
  label: 'JSON',
  description: 'Structured data.',
  icon: 'code',
  storage: 'json',
  accepts: ['json', 'text', 'string'],
  fallback: 'LongText',
  operators: ['like', 'nlike', 'null', 'notnull'],
  order: 80,
  parse: (input) => {
    if (input === null || input === undefined || input === '') return { ok: true, value: null };
    if (typeof input !== 'string') return checked(input as CellValue);
    try {
      return checked(JSON.parse(input) as CellValue);
    } catch {
      return { ok: false, message: 'must be JSON' };
    }
  },
  format: (value) => (value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)),
  guess: (samples) => (samples.every((text) => /^\s*[[{]/.test(text) && isJson(text)) ? 0.95 : 0),
  examples: [
    { input: { a: [1, 'two', null] }, value: { a: [1, 'two', null] } },
    { input: '[1,2]', value: [1, 2] },
    { input: '{"x":"?"}', value: { x: '?' } },
    { input: null, value: null },
  ],
  invalid: ['{a:1}', '[1,', '{"a":"\\u0000"}'],
  width: 220,
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
