import { defineColumnType, type CalendarValues, type ParseResult, type Refusal } from '@trellis/sdk/shared';
import { dateFormats, defaultDateOptions, readDate, writeDate, type DateOptions } from './date-values.ts';
import {
  clockOf,
  defaultMomentOptions,
  readDayOfMoment,
  readMoment,
  writeMoment,
  type MomentOptions,
} from './moments.ts';
import { orderOperators } from './operators.ts';
import { timeFormatProperty } from './time-values.ts';
import { isZone } from './zones.ts';

const dateFormatProperty = {
  type: 'string' as const,
  title: 'Date format',
  enum: [...dateFormats],
  'x-ui': { labels: dateFormats.map((format) => `${format} (${writeDate('2026-03-29', format)})`) },
  default: defaultDateOptions.date_format,
};

/** The options that all types of moments have in common. */
export const momentOptions = {
  schema: {
    type: 'object' as const,
    properties: {
      date_format: dateFormatProperty,
      time_format: timeFormatProperty,
      timezone: { type: 'string' as const, title: 'Time zone', default: defaultMomentOptions.timezone },
    },
    required: ['date_format', 'time_format', 'timezone'],
  },
  defaults: defaultMomentOptions,
};

/** The same for a form, with the zones to choose from. The server also accepts other names of them. */
export function momentOptionsForm(): typeof momentOptions {
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  const { schema } = momentOptions;
  const timezone = { ...schema.properties.timezone, enum: zones };
  return { ...momentOptions, schema: { ...schema, properties: { ...schema.properties, timezone } } };
}

/** Refuses an unknown zone, which would be shown as if it were UTC. */
export function checkMomentOptions({ timezone }: MomentOptions): Refusal | undefined {
  if (isZone(timezone)) return undefined;
  return {
    message: "'{{zone}}' is not a time zone such as UTC or Europe/Berlin.",
    params: { zone: timezone },
  };
}

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

/** A calendar day, without time and zone. */
export const date = defineColumnType<string, DateOptions>({
  id: 'Date',
  label: 'Date',
  description: 'A day.',
  icon: 'calendar',
  storage: 'date',
  accepts: ['date', 'datetime', 'string', 'text'],
  fallback: 'SingleLineText',
  holds: 'time',
  operators: orderOperators,
  order: 60,
  options: {
    schema: {
      type: 'object',
      properties: { date_format: dateFormatProperty },
      required: ['date_format'],
    },
    defaults: defaultDateOptions,
  },
  calendar: {
    unit: 'day',
    show: (value) => readDate(value, 'YYYY-MM-DD'),
    read: (shown) => readDate(shown, 'YYYY-MM-DD'),
  },
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

/** Parses a moment from people and clients. `of` gives the zone of texts without one. */
export function parseMoment(input: unknown, of: Partial<MomentOptions>): ParseResult<string> {
  if (input === null || input === undefined || input === '') return { ok: true, value: null };
  return readMoment(typeof input === 'string' ? input.trim() : '', of);
}

/** Calendars place moments by the local time of their column's zone. */
export const momentsOnCalendar: CalendarValues<string, MomentOptions> = {
  unit: 'time',
  show: (value, { options }) => clockOf(value, options)?.clock.slice(0, 19).replace(' ', 'T'),
  read(shown, { options: { timezone } }) {
    const read = readMoment(shown, { timezone });
    return read.ok ? (read.value ?? undefined) : undefined;
  },
};

/** A moment, stored in UTC. Texts without a zone are UTC, as clients of the API expect. */
export const dateTime = defineColumnType<string, MomentOptions>({
  id: 'DateTime',
  label: 'Date and time',
  description: 'A day and a time, in the zone of the column.',
  icon: 'clock',
  storage: 'datetime',
  accepts: ['datetime', 'date', 'string', 'text'],
  fallback: 'SingleLineText',
  holds: 'time',
  operators: orderOperators,
  order: 70,
  options: momentOptions,
  checkOptions: checkMomentOptions,
  calendar: momentsOnCalendar,
  parse: (input, column) => parseMoment(input, { date_format: formatOf(column.options) }),
  format: (value, column) => (value === null ? '' : writeMoment(String(value), column.options)),
  guess: (samples) =>
    samples.every((text) => /\d:\d\d/.test(text) && readMoment(text.trim()).ok) ? 0.95 : 0,
  examples: [
    { input: '2026-03-29 02:30:00', value: '2026-03-29 02:30:00' },
    { input: '2026-03-29T02:30:00Z', value: '2026-03-29 02:30:00' },
    { input: '2026-03-29T02:30:00+02:00', value: '2026-03-29 00:30:00' },
    { input: '2026-03-29 02:30:00-05', value: '2026-03-29 07:30:00' },
    { input: '2026-03-29 2:30 pm', value: '2026-03-29 14:30:00' },
    { input: null, value: null },
  ],
  invalid: ['noon', '2026-02-30 10:00', '2026-03-29 10:00+99:99', '2026-03-29 25:00', { a: 1 }],
  width: 170,
});
