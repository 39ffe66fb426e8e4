import { orderOperators } from '#plugins/columns-basic/shared';
import {
  defineColumnType,
  parseDecimal,
  readNumbersTogether,
  type ColumnContext,
  type ParseResult,
} from '@trellis/sdk/shared';
import { unify } from './money.ts';

/** @public */
export type PercentOptions = {
  /** Draws a bar from 0 to 100 beside the number. */
  readonly is_progress: boolean;
};

/** Longer texts are refused before any pattern is tried. */
const longestText = 200;
/** Numbers whose points, spaces or apostrophes are certainly group separators, because of a comma or a second one. */
const groupedBeforeComma = /^[+-]?[1-9]\d{0,2}([. '])\d{3}(?:(?:\1\d{3})*,\d+|(?:\1\d{3})+)$/;
const oneComma = /^[+-]?\d*,\d+$/;
const oneGroup = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/**
 * Parses a percentage with a comma or a point before its fraction. `point` is the decimal sign of the person's language: it decides
 * about `1,234`, which in English is over a thousand.
 */
export function readPercent(
  input: unknown,
  point = '.',
  column?: Pick<ColumnContext, 'storage'>,
): ParseResult<number | string> {
  const isText = typeof input === 'string' && input.length <= longestText;
  const given = isText ? withPoint(unify(input).replace(/(?<=[\d.,]) ?%$/, ''), point) : input;
  const read = parseDecimal(given, column);
  if (read.ok || typeof input === 'number') return read;
  return { ok: false, message: 'must be a percentage such as 12.5' };
}

function withPoint(text: string, point: string): string {
  if (groupedBeforeComma.test(text)) return text.replace(/[. ']/g, '').replace(',', '.');
  const hasFraction = oneComma.test(text) && (point === ',' || !oneGroup.test(text));
  return hasFraction ? text.replace(',', '.') : text;
}

/** Hundredths: 12 means 12 %. */
export const percent = defineColumnType<number | string, PercentOptions>({
  id: 'Percent',
  label: 'Percent',
  description: 'A share of a hundred.',
  icon: 'percentage',
  storage: 'float',
  accepts: ['float', 'decimal', 'integer', 'bigint'],
  fallback: 'Decimal',
  holds: 'number',
  operators: orderOperators,
  readTogether: readNumbersTogether,
  order: 44,
  options: {
    schema: {
      type: 'object',
      properties: { is_progress: { type: 'boolean', title: 'Show as a bar', default: false } },
    },
    defaults: { is_progress: false },
  },
  parse: (input, column) => readPercent(input, '.', column),
  format: (value) => (value === null ? '' : `${value}%`),
  inFormulas: '60 for 60 %: divide it by 100 to multiply by it.',
  sheetNumber: (value) => ({ format: Number.isInteger(Number(value)) ? '0%' : '0.00%', shift: 2 }),
  guess: (samples) =>
    samples.every((text) => text.length < 40 && /^-?\d+(?:[.,]\d+)?\s?%$/.test(text.trim())) ? 0.95 : 0,
  examples: [
    { input: 12, value: 12 },
    { input: '12.5%', value: 12.5 },
    { input: '-3 %', value: -3 },
    { input: '12,5 %', value: 12.5 },
    { input: 0, value: 0 },
    { input: '', value: null },
    { input: null, value: null },
  ],
  invalid: ['half', '%', '12%%', '1,2,3', '1.2.3', { a: 1 }],
  width: 120,
});
