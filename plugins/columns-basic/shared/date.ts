import { defineColumnType, type ParseResult } from '@trellis/sdk/shared';
import {
  dateFormats,
  defaultDateOptions,
  readDate,
  readDateTime,
  readDayOfMoment,
  writeDate,
  type DateOptions,
} from './date-values.ts';
import { orderOperators } from './operators.ts';

const dateOptions = {
  schema: {
    type: 'object' as const,
    properties: {
      date_format: {
        type: 'string' as const,
        title: 'Date format',
        enum: [...dateFormats],
        default: 'YYYY-MM-DD',
      },
    },
  },
  defaults: defaultDateOptions,
};

function formatOf(options: Partial<DateOptions> | undefined): string {
  const format = options?.date_format;
  return (dateFormats as readonly (string | undefined)[]).includes(format) && format !== undefined
    ? format
    : defaultDateOptions.date_format;
}

function parseDate(input: unknown, format: string): ParseResult<string> {
  if (input === null || input === undefined || input === '') return { ok: true, value: null };
  if (typeof input !== 'string') return { ok: false, message: 'must be a date such as 2026-03-29' };
  const text = input.trim();
  const day = readDate(text, format) ?? readDayOfMoment(text, format);
  return day === undefined
    ? { ok: false, message: 'must be a date such as 2026-03-29' }
    : { ok: true, value: day };
}

/** A day of the calendar, without time and zone. */
export const date = defineColumnType<string, DateOptions>({
  id: 'Date',
  label: 'Date',
  description: 'A day.',
  icon: 'calendar',
  storage: 'date',
  accepts: ['date', 'datetime', 'string', 'text'],
  fallback: 'SingleLineText',
  operators: orderOperators,
  order: 60,
  options: dateOptions,
  parse: (input, column) => parseDate(input, formatOf(column.options)),
  format: (value, column) => (value === null ? '' : writeDate(String(value), formatOf(column.options))),
  guess: (samples) => (samples.every((text) => readDate(text.trim(), 'YYYY-MM-DD') !== undefined) ? 0.9 : 0),
  examples: [
    { input: '2026-03-29', value: '2026-03-29' },
    { input: '2024-02-29', value: '2024-02-29' },
    { input: '2026/3/9', value: '2026-03-09' },
    { input: '2026-03-29T23:30:00.123456789+02:00', value: '2026-03-29' },
    { input: '2026-03-29 02:30:00+00', value: '2026-03-29' },
    { input: null, value: null },
  ],
  invalid: [
    '2026-02-30',
    'yesterday',
    '2026-13-01',
    '2026-03-29 25:00',
    '2026-03-29 10:00x',
    20260329,
    { a: 1 },
  ],
  width: 130,
});

/** A moment, kept in UTC. */
export const dateTime = defineColumnType<string, DateOptions>({
  id: 'DateTime',
  label: 'Date and time',
  description: 'A day and a time, in UTC.',
  icon: 'clock',
  storage: 'datetime',
  accepts: ['datetime', 'date', 'string', 'text'],
  fallback: 'SingleLineText',
  operators: orderOperators,
  order: 70,
  options: dateOptions,
  parse: (input, column) => {
    if (input === null || input === undefined || input === '') return { ok: true, value: null };
    if (typeof input !== 'string')
      return { ok: false, message: 'must be a date and time such as 2026-03-29 14:30' };
    return readDateTime(input.trim(), formatOf(column.options));
  },
  format: (value, column) => {
    if (value === null) return '';
    const read = readDateTime(String(value), 'YYYY-MM-DD');
    if (!read.ok || read.value === null) return String(value);
    const [day = '', time = ''] = read.value.split(' ');
    return `${writeDate(day, formatOf(column.options))} ${time.replace(/^(\d\d:\d\d):00$/, '$1')}`;
  },
  guess: (samples) =>
    samples.every((text) => /\d:\d\d/.test(text) && readDateTime(text.trim(), 'YYYY-MM-DD').ok) ? 0.95 : 0,
  examples: [
    { input: '2026-03-29 02:30:00', value: '2026-03-29 02:30:00' },
    { input: '2026-03-29T02:30:00Z', value: '2026-03-29 02:30:00' },
    { input: '2026-03-29T02:30:00+02:00', value: '2026-03-29 00:30:00' },
    { input: '2026-03-29 02:30:00-05', value: '2026-03-29 07:30:00' },
    { input: null, value: null },
  ],
  invalid: ['noon', '2026-02-30 10:00', '2026-03-29 10:00+99:99', '2026-03-29 25:00', { a: 1 }],
  width: 170,
});
