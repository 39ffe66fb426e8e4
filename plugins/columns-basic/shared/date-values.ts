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

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function realDate({ year, month, day }: DateParts): boolean {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && isLeap ? 29 : (daysOfMonths[month - 1] ?? 0);
  return year >= 1 && day >= 1 && day <= days;
}

/** The ISO form itself, which needs no other text to be made. */
const plainDay = /^\d{4}-\d{2}-\d{2}$/;

/** No date or moment is longer, in any format. Longer texts are refused before a pattern looks at them. */
export const longestText = 80;

/**
 * Reads a date in ISO form, in the column's own format, or in one that can mean a single day: `15.12.2026`, `31/12/2026`,
 * `12/31/2026`. Undefined for what may mean two days (`05/12/2026`, unless the column says which), and where no such day exists.
 */
export function readDate(text: string, format: string): string | undefined {
  if (text.length > longestText) return undefined;
  if (plainDay.test(text) && realDate(partsOfPlain(text))) return text;
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text);
  const parts = iso
    ? { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }
    : readInFormat(text, format);
  if (parts !== undefined && realDate(parts)) return isoDate(parts);
  const meant = iso === null ? onlyMeaning(text) : undefined;
  return meant !== undefined && realDate(meant) ? isoDate(meant) : undefined;
}

function partsOfPlain(text: string): DateParts {
  return { year: Number(text.slice(0, 4)), month: Number(text.slice(5, 7)), day: Number(text.slice(8)) };
}

/** The day that a text with its year at the end means to everybody: with points the day comes first, else the number that is no month. */
function onlyMeaning(text: string): DateParts | undefined {
  const found = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/.exec(text);
  if (found === null) return undefined;
  const [first, second, year] = [Number(found[1]), Number(found[3]), Number(found[4])];
  const dayFirst = { year, month: second, day: first };
  if (found[2] === '.' || first > 12 || first === second) return dayFirst;
  return second > 12 ? { year, month: first, day: second } : undefined;
}

function readInFormat(text: string, format: string): DateParts | undefined {
  const numbers = /^(\d{1,4})[-/. ](\d{1,2})[-/. ](\d{1,4})$/.exec(text);
  if (!numbers) return undefined;
  const fields = format.split(/[-/. ]/);
  const named = Object.fromEntries(fields.map((field, index) => [field, Number(numbers[index + 1])]));
  const { YYYY: year, MM: month, DD: day } = named;
  return year === undefined || month === undefined || day === undefined ? undefined : { year, month, day };
}

/** An ISO date in the column's format. Anything else is given back as it is: old values are never hidden. */
export function writeDate(iso: string, format: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso);
  if (!match) return iso;
  const [, year = '', month = '', day = ''] = match;
  return format.replace('YYYY', year).replace('MM', month).replace('DD', day);
}
