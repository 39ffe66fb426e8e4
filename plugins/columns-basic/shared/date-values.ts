import { monthOfWord } from './month-words.ts';

/** The date formats of the options panel. */
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

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function realDate({ year, month, day }: DateParts): boolean {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && isLeap ? 29 : (daysOfMonths[month - 1] ?? 0);
  return year >= 1 && day >= 1 && day <= days;
}

/** The ISO form itself, which is returned without conversion. */
const plainDay = /^\d{4}-\d{2}-\d{2}$/;

/** No date or moment is longer in any format. Longer texts are refused before any pattern is tried. */
export const longestText = 80;

/**
 * Parses a date in ISO form, in the column's own format, or in one with a single meaning: `15.12.2026`, `31/12/2026`, `12/31/26`,
 * `31 December 2026`. Undefined for an ambiguous date (`05/12/2026`, unless the column's format decides), and for a day that does
 * not exist.
 */
export function readDate(text: string, format: string): string | undefined {
  if (text.length > longestText) return undefined;
  if (plainDay.test(text) && realDate(partsOfPlain(text))) return text;
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text);
  const parts = iso
    ? { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }
    : readInFormat(text, format);
  if (parts !== undefined && realDate(parts)) return isoDate(parts);
  const meant = iso === null ? (onlyMeaning(text) ?? readInWords(text)) : undefined;
  return meant !== undefined && realDate(meant) ? isoDate(meant) : undefined;
}

function partsOfPlain(text: string): DateParts {
  return { year: Number(text.slice(0, 4)), month: Number(text.slice(5, 7)), day: Number(text.slice(8)) };
}

/** A two-digit year is one of the hundred years from 1950 on, as in spreadsheets. Undefined for one or three digits. */
function yearOf(digits: string): number | undefined {
  const year = Number(digits);
  if (digits.length === 2) return year < 50 ? 2000 + year : 1900 + year;
  return digits.length === 4 ? year : undefined;
}

/**
 * The unambiguous day of a text with its year at the end: with points the day comes first, else the number that cannot be a month.
 */
function onlyMeaning(text: string): DateParts | undefined {
  // Between dashes, two digits may also be a leading year.
  const found = /^(\d{1,2})(?:([-/.])(\d{1,2})\2(\d{4})|([/.])(\d{1,2})\5(\d{2}))$/.exec(text);
  const year = found === null ? undefined : yearOf(found[4] ?? found[7] ?? '');
  if (found === null || year === undefined) return undefined;
  const [first, second] = [Number(found[1]), Number(found[3] ?? found[6])];
  const day = { year, month: second, day: first };
  if ((found[2] ?? found[5]) === '.' || first > 12 || first === second) return day;
  return second > 12 ? { year, month: first, day: second } : undefined;
}

const dayFirst = /^(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]{0,3}(\p{L}{3,12})\.?,?[\s-]{0,3}(\d{4}|\d{2})$/iu;
const monthFirst = /^(\p{L}{3,12})\.?\s{1,3}(\d{1,2})(?:st|nd|rd|th|\.)?,?\s{1,3}(\d{4})$/iu;

/** `31 December 2026`, `31-Dec-26`, `31. Dezember 2026`, `December 31st, 2026`. */
function readInWords(text: string): DateParts | undefined {
  const [, leadingDay, word, endYear] = dayFirst.exec(text) ?? [];
  const [, leadingWord, secondDay, lastYear] = monthFirst.exec(text) ?? [];
  const month = monthOfWord(word ?? leadingWord ?? '');
  const year = yearOf(endYear ?? lastYear ?? '');
  if (month === undefined || year === undefined) return undefined;
  return { year, month, day: Number(leadingDay ?? secondDay) };
}

/** A two-digit year is accepted only at the end: at the beginning it may be a day. */
function readInFormat(text: string, format: string): DateParts | undefined {
  const numbers = /^(\d{1,4})[-/. ](\d{1,2})[-/. ](\d{1,4})$/.exec(text);
  if (!numbers) return undefined;
  const fields = format.split(/[-/. ]/);
  const named = Object.fromEntries(fields.map((field, index) => [field, numbers[index + 1] ?? '']));
  const { YYYY: written = '', MM: month, DD: day } = named;
  const year = fields[0] === 'YYYY' && written.length < 4 ? undefined : yearOf(written);
  return year === undefined ? undefined : { year, month: Number(month), day: Number(day) };
}

/** An ISO date in the column's format. Anything else is returned unchanged, so that old values stay visible. */
export function writeDate(iso: string, format: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso);
  if (!match) return iso;
  const [, year = '', month = '', day = ''] = match;
  return format.replace('YYYY', year).replace('MM', month).replace('DD', day);
}
