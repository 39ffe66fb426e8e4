import { durationFormats, orderOperators, writeDuration } from '#plugins/columns-basic/shared';
import { defineColumnType, parseDecimal, type ParseResult } from '@trellis/sdk/shared';

/** @public */
export type DurationOptions = {
  /** The index in `durationFormats`. */
  readonly duration: number;
};

const clock = /^(-)?(\d{1,9}):([0-5]?\d)(?::([0-5]?\d)(\.\d{1,20})?)?$/;
const words =
  /^(-)?(?:(\d{1,9})\s*h\w{0,5})?\s*(?:(\d{1,9})\s*m\w{0,6})?\s*(?:(\d{1,9}(?:\.\d{1,20})?)\s*s\w{0,6})?$/i;
const seconds = { ok: false, message: 'must be a duration such as 1:30, 90 min or 5400 (seconds)' } as const;

/**
 * Parses seconds, a clock or words. Two parts are hours and minutes if the column shows no seconds, otherwise minutes and seconds.
 * Bare digits are seconds, as the API sends them.
 */
function parse(input: unknown, format: number): ParseResult<number | string> {
  if (typeof input !== 'string') return parseDecimal(input);
  const text = input.trim();
  if (text.length > 80) return seconds;
  const ofClock = clock.exec(text);
  if (ofClock) {
    const [, sign = '', first = '0', second = '0', third, fraction = ''] = ofClock;
    const isShort = third === undefined && format > 0;
    const [h, m, s] = isShort ? ['0', first, second] : [first, second, third ?? '0'];
    return exact(sign, Number(h) * 3600 + Number(m) * 60 + Number(s), fraction);
  }
  const ofWords = /\d/.test(text) && /[a-z]/i.test(text) ? words.exec(text) : null;
  if (ofWords) {
    const [, sign = '', h = '0', m = '0', s = '0'] = ofWords;
    const [whole = '0', fraction] = s.split('.');
    const rest = fraction === undefined ? '' : `.${fraction}`;
    return exact(sign, Number(h) * 3600 + Number(m) * 60 + Number(whole), rest);
  }
  const read = parseDecimal(text);
  return read.ok ? read : seconds;
}

function exact(sign: string, whole: number, fraction: string): ParseResult<number | string> {
  return parseDecimal(`${sign}${whole}${fraction}`);
}

/** A length of time, stored in seconds. */
export const duration = defineColumnType<number | string, DurationOptions>({
  id: 'Duration',
  label: 'Duration',
  description: 'A length of time.',
  icon: 'stopwatch',
  storage: 'decimal',
  accepts: ['decimal', 'float', 'integer', 'bigint'],
  fallback: 'Decimal',
  holds: 'number',
  operators: orderOperators,
  order: 46,
  options: {
    schema: {
      type: 'object',
      properties: {
        duration: {
          type: 'integer',
          title: 'Format',
          enum: durationFormats.map((_, index) => index),
          'x-ui': { labels: durationFormats },
          default: 0,
        },
      },
    },
    defaults: { duration: 0 },
  },
  parse: (input, column) =>
    typeof input === 'number' ? parseDecimal(input, column) : parse(input, column.options.duration),
  format: (value, column) => (value === null ? '' : writeDuration(value, column.options.duration)),
  inFormulas: '3600 for an hour: divide it by 3600 for hours.',
  guess: (samples) =>
    samples.every((text) => text.length < 20 && /^\d{1,4}:[0-5]\d:[0-5]\d$/.test(text.trim())) ? 0.8 : 0,
  examples: [
    { input: 5400, value: 5400 },
    { input: '1:30', value: 5400 },
    { input: '1:30:05', value: 5405 },
    { input: '2h 15m', value: 8100 },
    { input: '90 min', value: 5400 },
    { input: '0:00:01.5', value: 1.5 },
    { input: '-0:30', value: -1800 },
    { input: '', value: null },
    { input: null, value: null },
  ],
  invalid: ['long', '1:75', '1:2:3:4', 'h', { a: 1 }],
  width: 120,
});
