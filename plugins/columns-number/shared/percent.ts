import { defineColumnType, parseDecimal, type ParseResult } from '@trellis/sdk/shared';
import { numberOperators } from './number-operators.ts';

/** @public */
export type PercentOptions = {
  /** Draws a bar from 0 to 100 beside the number. */
  readonly is_progress: boolean;
};

function parse(input: unknown): ParseResult<number | string> {
  const read = parseDecimal(typeof input === 'string' ? input.trim().replace(/(?<=[\d.])\s?%$/, '') : input);
  if (read.ok || typeof input === 'number') return read;
  return { ok: false, message: 'must be a percentage such as 12.5' };
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
  operators: numberOperators,
  order: 44,
  options: {
    schema: {
      type: 'object',
      properties: { is_progress: { type: 'boolean', title: 'Show as a bar', default: false } },
    },
    defaults: { is_progress: false },
  },
  parse: (input) => parse(input),
  format: (value) => (value === null ? '' : `${value}%`),
  guess: (samples) =>
    samples.every((text) => text.length < 40 && /^-?\d+(?:[.,]\d+)?\s?%$/.test(text.trim())) ? 0.95 : 0,
  examples: [
    { input: 12, value: 12 },
    { input: '12.5%', value: 12.5 },
    { input: '-3 %', value: -3 },
    { input: 0, value: 0 },
    { input: '', value: null },
    { input: null, value: null },
  ],
  invalid: ['half', '%', '12%%', { a: 1 }],
  width: 120,
});
