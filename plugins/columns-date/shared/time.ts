import {
  defaultTimeOptions,
  orderOperators,
  readTime,
  timeFormatProperty,
  writeTime,
  type TimeOptions,
} from '#plugins/columns-basic/shared';
import { defineColumnType, type ParseResult } from '@trellis/sdk/shared';

const refused: ParseResult<string> = { ok: false, message: 'must be a time such as 14:30' };

/** A time, or the time of a pasted date and time; its zone is ignored, or the time would shift. */
function parse(input: unknown): ParseResult<string> {
  if (input === null || input === undefined || input === '') return { ok: true, value: null };
  if (typeof input !== 'string' || input.length > 80) return refused;
  const text = input.trim();
  const ofMoment = /^\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}[T\s]+(\d.*?)\s*(?:Z|[+-]\d{2}(?::?\d{2})?)?$/i.exec(
    text,
  );
  const value = readTime(ofMoment?.[1] ?? text);
  return value === undefined ? refused : { ok: true, value };
}

/** A time of the day, without day and zone. */
export const time = defineColumnType<string, TimeOptions>({
  id: 'Time',
  label: 'Time',
  description: 'A time of the day.',
  icon: 'clock',
  storage: 'time',
  accepts: ['time', 'string', 'text'],
  fallback: 'SingleLineText',
  holds: 'time',
  operators: orderOperators,
  order: 62,
  options: {
    schema: {
      type: 'object',
      properties: { time_format: timeFormatProperty },
      required: ['time_format'],
    },
    defaults: defaultTimeOptions,
  },
  parse,
  format: (value, column) => (value === null ? '' : writeTime(String(value), column.options.time_format)),
  guess: (samples) => {
    if (!samples.every((text) => /^(?:[01]\d|2[0-3]):[0-5]\d|\d\s?[ap]\.?m/i.test(text) && parse(text).ok))
      return 0;
    // Hours, minutes and seconds may also be a duration.
    return samples.every((text) => /:\d\d:\d\d$/.test(text.trim())) ? 0.7 : 0.9;
  },
  examples: [
    { input: '14:30', value: '14:30:00' },
    { input: '9:05:30', value: '09:05:30' },
    { input: '2:30 pm', value: '14:30:00' },
    { input: '12:00 am', value: '00:00:00' },
    { input: '2026-03-29 23:59:59+02:00', value: '23:59:59' },
    { input: '', value: null },
    { input: null, value: null },
  ],
  invalid: ['noon', '24:00', '14:60', '13pm', '14', 1430, { a: 1 }],
  width: 110,
});
