import type { ParseResult } from '@trellis/sdk/shared';

/** How dates are written in a column: the orders and separators that the options panel offers. */
export const dateFormats = [
  'YYYY-MM-DD',
  'DD-MM-YYYY',
  'MM-DD-YYYY',
  'YYYY/MM/DD',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'YYYY MM DD',
  'DD MM YYYY',
  'MM DD YYYY',
] as const;

/** @public */
export type DateOptions = {
  readonly date_format: string;
};

export const defaultDateOptions: DateOptions = { date_format: 'YYYY-MM-DD' };

interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function isoDate({ year, month, day }: DateParts): string {
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

function realDate(parts: DateParts): boolean {
  if (parts.month < 1 || parts.month > 12 || parts.day < 1 || parts.year < 1) return false;
  const last = new Date(0);
  last.setUTCFullYear(parts.year, parts.month, 0);
  return parts.day <= last.getUTCDate();
}

/** No date or moment is longer, in any format. Longer texts are refused before a pattern looks at them. */
const longestText = 80;

/** Reads a date in the column's own format, or in ISO form; undefined when it is neither or no such day exists. */
export function readDate(text: string, format: string): string | undefined {
  if (text.length > longestText) return undefined;
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text);
  const parts = iso
    ? { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }
    : readInFormat(text, format);
  return parts !== undefined && realDate(parts) ? isoDate(parts) : undefined;
}

function readInFormat(text: string, format: string): DateParts | undefined {
  const numbers = /^(\d{1,4})[-/. ](\d{1,2})[-/. ](\d{1,4})$/.exec(text);
  if (!numbers) return undefined;
  const fields = format.split(/[-/. ]/);
  const named = Object.fromEntries(fields.map((field, index) => [field, Number(numbers[index + 1])]));
  const { YYYY: year, MM: month, DD: day } = named;
  return year === undefined || month === undefined || day === undefined ? undefined : { year, month, day };
}

/** The day of a pasted date and time. A zone is not applied, or the day would move. */
export function readDayOfMoment(text: string, format: string): string | undefined {
  if (text.length > longestText) return undefined;
  const day = /^(.*?\d)[T\s]+\d{1,2}:\S+$/.exec(text)?.[1];
  if (day === undefined || !readDateTime(text, format).ok) return undefined;
  return readDate(day, format);
}

/** An ISO date in the column's format. Anything else is given back as it is: old values are never hidden. */
export function writeDate(iso: string, format: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso);
  if (!match) return iso;
  const [, year = '', month = '', day = ''] = match;
  return format.replace('YYYY', year).replace('MM', month).replace('DD', day);
}

const timeShape = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?$/;
const zoneShape = /\s*(Z|[+-]\d{2}(?::?\d{2})?)$/i;

/**
 * Reads a date with a time: the column's format or ISO, with or without a zone. Text without a zone means UTC.
 *
 * The value is `YYYY-MM-DD HH:mm:ss`, with milliseconds only when there are some.
 */
export function readDateTime(input: string, format: string): ParseResult<string> {
  const refused: ParseResult<string> = {
    ok: false,
    message: 'must be a date and time such as 2026-03-29 14:30',
  };
  if (input.length > longestText) return refused;
  const zone = zoneShape.exec(input);
  // A bare "2026-03-29" ends like a zone; a zone needs a time before it.
  const hasTime = /[T\s]\d{1,2}:\d{2}/.test(input);
  const text = zone && hasTime ? input.slice(0, zone.index) : input;
  const split = /^(.*?\d)(?:[T\s]+(\d{1,2}:\S+))?$/.exec(text);
  if (!split?.[1]) return refused;
  const date = readDate(split[1], format);
  const time = timeShape.exec(split[2] ?? '00:00');
  if (date === undefined || !time) return refused;
  const [hours, minutes, seconds] = [Number(time[1]), Number(time[2]), Number(time[3] ?? 0)];
  if (hours > 23 || minutes > 59 || seconds > 59) return refused;
  const milliseconds = Math.floor(Number(`0.${time[4] ?? 0}`) * 1000 + 0.0005);
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  at.setUTCHours(hours, minutes, seconds, milliseconds);
  const offset = zone && hasTime ? zoneMinutes(zone[1] ?? 'Z') : 0;
  if (offset === undefined) return { ok: false, message: 'must have an offset from UTC of at most 15:59' };
  at.setTime(at.getTime() - offset * 60_000);
  const iso = at.toISOString();
  if (iso.startsWith('-') || iso.startsWith('+')) return refused;
  return {
    ok: true,
    value: `${iso.slice(0, 10)} ${iso.slice(11, 19)}${iso.slice(19, 23).replace('.000', '')}`,
  };
}

/** The minutes of `Z`, `+02:00`, `-0730` or `+02`; undefined for an offset that no zone has. */
function zoneMinutes(zone: string): number | undefined {
  if (zone.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', ''))];
  if (hours > 15 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
