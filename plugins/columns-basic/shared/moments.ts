import type { ParseResult } from '@trellis/sdk/shared';
import { defaultDateOptions, longestText, readDate, writeDate, type DateOptions } from './date-values.ts';
import { defaultTimeOptions, readTime, writeTime, type TimeOptions } from './time-values.ts';
import { isZone, momentAt, offsetText, zoneOffset } from './zones.ts';

/** The format of a column's moments. @public */
export type MomentOptions = DateOptions &
  TimeOptions & {
    /** The zone of the displayed times: `UTC`, `Europe/Berlin`. UTC is stored. */
    readonly timezone: string;
  };

export const defaultMomentOptions: MomentOptions = {
  ...defaultDateOptions,
  ...defaultTimeOptions,
  timezone: 'UTC',
};

const refused: ParseResult<string> = {
  ok: false,
  message: 'must be a date and time such as 2026-03-29 14:30',
};
const zoneShape = /\s*(Z|[+-]\d{2}(?::?\d{2})?)$/i;
const momentShape = /^(.*?\d)(?:[T\s]+(\d{1,2}(?::\S+(?:\s[ap]\.?\s?m\.?)?|\s?[ap]\.?\s?m\.?)))?$/i;

/** A known zone; columns may still store an invalid one from a client. */
function zoneOf(options: Partial<MomentOptions>): string {
  const { timezone = 'UTC' } = options;
  return isZone(timezone) ? timezone : 'UTC';
}

/** The day of a pasted date and time. A zone is ignored, or the day would shift. */
export function readDayOfMoment(text: string, format: string): string | undefined {
  if (text.length > longestText) return undefined;
  const day = /^(.*?\d)[T\s]+\d{1,2}(?::|\s?[ap])/i.exec(text)?.[1];
  if (day === undefined || !readMoment(text, { date_format: format }).ok) return undefined;
  return readDate(day, format);
}

/**
 * Parses a date with a time, in the column's format or ISO, with or without an offset. A text without one is in the zone of the
 * options, or UTC if they name none.
 *
 * The value is `YYYY-MM-DD HH:mm:ss` in UTC, with milliseconds only if there are some.
 */
export function readMoment(input: string, options: Partial<MomentOptions> = {}): ParseResult<string> {
  if (input.length > longestText) return refused;
  const offset = zoneShape.exec(input);
  // A bare "2026-03-29" ends like an offset; an offset needs a time before it.
  const hasTime = /[T\s]\d{1,2}(?::\d{2}|\s?[ap]\.?\s?m)/i.test(input);
  const text = offset && hasTime ? input.slice(0, offset.index) : input;
  const split = momentShape.exec(text);
  if (!split?.[1]) return refused;
  const date = readDate(split[1], options.date_format ?? defaultDateOptions.date_format);
  const time = readTime(split[2] ?? '00:00');
  if (date === undefined || time === undefined) return refused;
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  at.setUTCHours(hours, minutes, 0, Math.round(seconds * 1000));
  if (offset && hasTime) {
    const ahead = minutesOf(offset[1] ?? 'Z');
    if (ahead === undefined) return { ok: false, message: 'must have an offset from UTC of at most 15:59' };
    at.setTime(at.getTime() - ahead * 60_000);
  } else {
    at.setTime(momentAt(at.getTime(), zoneOf(options)));
  }
  const iso = at.toISOString();
  return iso.startsWith('-') || iso.startsWith('+') ? refused : { ok: true, value: textOf(iso) };
}

/** `2026-03-29T14:30:05.000Z` in the stored form. */
function textOf(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}${iso.slice(19, 23).replace('.000', '')}`;
}

/** The minutes of `Z`, `+02:00`, `-0730` or `+02`; undefined for an impossible offset. */
function minutesOf(zone: string): number | undefined {
  if (zone.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', ''))];
  if (hours > 15 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

interface ZonedClock {
  /** `YYYY-MM-DD HH:mm:ss` in the local time of the zone. */
  readonly clock: string;
  /** Milliseconds of the zone's offset from UTC. */
  readonly offset: number;
}

/** The local time of a stored moment in the column's zone; undefined for anything but a moment. */
export function clockOf(value: string, options: Partial<MomentOptions>): ZonedClock | undefined {
  const read = readMoment(value);
  if (!read.ok || read.value === null) return undefined;
  const moment = Date.parse(`${read.value.replace(' ', 'T')}Z`);
  const offset = zoneOffset(moment, zoneOf(options));
  const zoned = new Date(moment + offset);
  // The local time may be in a year that a text cannot hold.
  const iso = zoned.toISOString();
  return iso.length === 24 ? { clock: textOf(iso), offset } : { clock: read.value, offset: 0 };
}

/** A stored moment in the column's display form. Anything else is returned unchanged, so that old values stay visible. */
export function showMoment(value: string, options: Partial<MomentOptions>): string {
  const shown = clockOf(value, options);
  if (shown === undefined) return value;
  const [day = '', time = ''] = shown.clock.split(' ');
  const { date_format = defaultDateOptions.date_format, time_format = defaultTimeOptions.time_format } =
    options;
  return `${writeDate(day, date_format)} ${writeTime(time, time_format)}`;
}

/**
 * A stored moment for copies and exports: in a zone other than UTC with its offset, so that it is the same moment wherever it is
 * read.
 */
export function writeMoment(value: string, options: Partial<MomentOptions>): string {
  const offset = clockOf(value, options)?.offset;
  if (offset === undefined || zoneOf(options) === 'UTC') return showMoment(value, options);
  // Historical local mean times had offsets with seconds.
  if (offset % 60_000 !== 0) return `${showMoment(value, { ...options, timezone: 'UTC' })} ${offsetText(0)}`;
  return `${showMoment(value, options)} ${offsetText(offset)}`;
}
