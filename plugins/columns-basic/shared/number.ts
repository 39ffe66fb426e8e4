import {
  defineColumnType,
  keepsFraction,
  parseDecimal,
  parseInteger,
  readNumbersTogether,
} from '@trellis/sdk/shared';
import { orderOperators } from './operators.ts';

/** A whole number, exact up to 64 bits. */
export const number = defineColumnType<number | string>({
  id: 'Number',
  label: 'Number',
  description: 'A whole number.',
  icon: 'hashtag',
  storage: 'bigint',
  accepts: ['bigint', 'integer', 'float', 'decimal', 'boolean'],
  fallback: 'SingleLineText',
  holds: 'number',
  operators: orderOperators,
  order: 30,
  readTogether: readNumbersTogether,
  parse: (input, column) =>
    keepsFraction(column.storage) ? parseDecimal(input, column) : parseInteger(input),
  format: (value) => (value === null ? '' : String(value)),
  guess: (samples) => (samples.every((text) => /^-?\d{1,18}$/.test(text)) ? 0.9 : 0),
  examples: [
    { input: 7, value: 7 },
    { input: ' 1,234 ', value: 1234 },
    { input: '-12', value: -12 },
    { input: '9007199254740993', value: '9007199254740993' },
    { input: 0, value: 0 },
    { input: '', value: null },
    { input: null, value: null },
  ],
  invalid: [1.5, 'twelve', '1e400', '99999999999999999999', 2 ** 53 + 2, { a: 1 }, [1]],
  width: 140,
});

/** A number with a fraction, exact in every digit. */
export const decimal = defineColumnType<number | string>({
  id: 'Decimal',
  label: 'Decimal',
  description: 'A number with a fraction, kept exactly.',
  icon: 'gauge',
  storage: 'decimal',
  accepts: ['decimal', 'float', 'integer', 'bigint'],
  fallback: 'SingleLineText',
  holds: 'number',
  operators: orderOperators,
  order: 40,
  readTogether: readNumbersTogether,
  parse: (input, column) =>
    column.storage === 'integer' || column.storage === 'bigint'
      ? parseInteger(input)
      : parseDecimal(input, column),
  format: (value) => (value === null ? '' : String(value)),
  guess: (samples) => (samples.every((text) => /^-?(?:\d+(?:\.\d+)?|\.\d+)$/.test(text)) ? 0.8 : 0),
  examples: [
    { input: 1.25, value: 1.25 },
    { input: '2.5', value: 2.5 },
    { input: '-0.75', value: -0.75 },
    { input: '1,234.50', value: 1234.5 },
    { input: '3.400,50', value: 3400.5 },
    { input: '0,5', value: 0.5 },
    { input: 0, value: 0 },
    { input: '', value: null },
    { input: null, value: null },
  ],
  invalid: ['one and a half', '1.2.3', Number.NaN, Number.POSITIVE_INFINITY, { a: 1 }],
  width: 140,
});
