import {
  defineColumnType,
  nestsDeeperThan,
  textProblem,
  type CellValue,
  type ParseResult,
} from '@trellis/sdk/shared';

const maximumDepth = 100;

/** A JSON number in a normal form, in which equal numbers are equal texts. */
function normalForm(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign}${significant}e${power}`;
}

/** Whether every number of a JSON text keeps its digits in a double. */
function keepsDigits(text: string): boolean {
  const numbers = text.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/-?\d[\d.eE+-]*/g) ?? [];
  return numbers.every(
    (literal) =>
      // Most numbers are short, and fifteen digits always fit.
      /^-?[\d.]{1,15}$/.test(literal) || normalForm(literal) === normalForm(String(Number(literal))),
  );
}

/** Whether a value that was parsed by others contains a number whose last digits may be rounded. */
function holdsRounded(value: CellValue): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsRounded);
}

function checked(value: CellValue): ParseResult<CellValue> {
  if (nestsDeeperThan(value, maximumDepth))
    return {
      ok: false,
      message: 'must not nest deeper than {{most}} levels',
      params: { most: maximumDepth },
    };
  const text = JSON.stringify(value);
  // An escape would hide a NUL from the check of the text.
  const problem =
    textProblem(text) ??
    (/(?<!\\)(?:\\\\)*\\u0000/.test(text) ? { message: 'must not hold the NUL character' } : undefined);
  return problem === undefined ? { ok: true, value } : { ok: false, ...problem };
}

function readValue(value: CellValue): ParseResult<CellValue> {
  const result = checked(value);
  if (!result.ok || !holdsRounded(value)) return result;
  return {
    ok: false,
    message:
      'holds a whole number of more digits than a number of JSON keeps; send the value as a text of JSON',
  };
}

function parse(input: unknown): ParseResult<CellValue> {
  if (input === null || input === undefined || input === '') return { ok: true, value: null };
  if (typeof input !== 'string') return readValue(input as CellValue);
  let value: CellValue;
  try {
    value = JSON.parse(input) as CellValue;
  } catch {
    return { ok: false, message: 'must be JSON' };
  }
  const result = checked(value);
  // A JSON text would become another value if it were parsed again: "12" is no number.
  const isKept = typeof value === 'string' || !keepsDigits(input);
  return result.ok && isKept ? { ok: true, value: input } : result;
}

/**
 * Any JSON. A text is parsed as JSON; objects and lists may be sent directly. A text with numbers of more digits than a double
 * holds stays a text, so that no digit is lost; so does a JSON text that is itself a text.
 */
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
  parse,
  format: (value) => (value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)),
  guess: (samples) => (samples.every((text) => /^\s*[[{]/.test(text) && parse(text).ok) ? 0.95 : 0),
  examples: [
    { input: { a: [1, 'two', null] }, value: { a: [1, 'two', null] } },
    { input: '[1,2]', value: [1, 2] },
    { input: '{"x":"?"}', value: { x: '?' } },
    { input: '{"n":12345678901234567890}', value: '{"n":12345678901234567890}' },
    { input: '"12"', value: '"12"' },
    { input: null, value: null },
  ],
  invalid: ['{a:1}', '[1,', '{"a":"\\u0000"}', { n: 2 ** 53 }],
  width: 220,
});
