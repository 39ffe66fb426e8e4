import type { SqlFragment } from '../../sql/fragment.ts';
import type { ReadPattern } from './read-pattern.ts';

export type DateUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

/** The SQL of dates. All moments are UTC; dates are plain days. */
export interface DateSql {
  now(): SqlFragment;
  /** Milliseconds since 1970 by the clock of the database, which all servers share, plus `plus`. */
  epoch(plus?: number): SqlFragment;
  today(): SqlFragment;
  /** The day of a date or moment, without its time. */
  dateOf(value: SqlFragment): SqlFragment;
  /**
   * Adds whole units to a value of this `kind`. A month after the 31st is the last day of a shorter month. Null outside of the
   * years 1 to 9999.
   */
  add(kind: 'date' | 'datetime', value: SqlFragment, amount: SqlFragment, unit: DateUnit): SqlFragment;
  /** Monday is 0. */
  weekday(value: SqlFragment): SqlFragment;
  part(unit: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', value: SqlFragment): SqlFragment;
  /** The number of the week by ISO 8601. */
  week(value: SqlFragment): SqlFragment;
  /** The last day of the month that is `months` later. */
  monthEnd(value: SqlFragment, months: SqlFragment): SqlFragment;
  /** Formats the parts of a date by a pattern (see `datePieces`), in English. */
  format(value: SqlFragment, pattern: string): SqlFragment;
  /**
   * Reads a text as a day or moment by a pattern that `readPattern` has read. Parts that the pattern lacks are the first of their
   * kind. Null for every other text, and for a day that does not exist. `value` occurs once in the SQL.
   */
  read(kind: 'date' | 'datetime', value: SqlFragment, pattern: ReadPattern): SqlFragment;
  /** Whole months from `left` to `right`: a month counts once its day and time are reached. */
  monthsBetween(left: SqlFragment, right: SqlFragment): SqlFragment;
  /** Whole seconds from `left` to `right`, each without its fraction. */
  secondsBetween(left: SqlFragment, right: SqlFragment): SqlFragment;
  /** Whole days from `left` to `right`. */
  daysBetween(left: SqlFragment, right: SqlFragment): SqlFragment;
}

/** The most of each unit in ten thousand years. */
export const unitsInAllYears: Readonly<Record<Exclude<DateUnit, 'quarter'>, number>> = {
  second: 316e9,
  minute: 53e8,
  hour: 878e5,
  day: 366e4,
  week: 522_000,
  month: 120_000,
  year: 10_000,
};

/** The letters of a pattern that mean a part of a date, the longest first. */
const dateLetters = [
  'YYYY',
  'MMMM',
  'dddd',
  'MMM',
  'ddd',
  'YY',
  'MM',
  'DD',
  'HH',
  'hh',
  'mm',
  'ss',
  'M',
  'D',
  'H',
  'h',
  'A',
] as const;

export type DateLetters = (typeof dateLetters)[number];

/** Splits a pattern into `letters`, which mean a part of a date, and `words`, which are literal. */
export function datePieces(
  pattern: string,
): readonly ({ readonly letters: DateLetters } | { readonly words: string })[] {
  const pieces: ({ letters: DateLetters } | { words: string })[] = [];
  for (let at = 0; at < pattern.length;) {
    const letters = dateLetters.find((one) => pattern.startsWith(one, at));
    pieces.push(letters === undefined ? { words: pattern.charAt(at) } : { letters });
    at += letters?.length ?? 1;
  }
  return pieces;
}

/** Quarters as months, since databases have no quarters. */
export function asBasicUnit(unit: DateUnit): {
  readonly unit: Exclude<DateUnit, 'quarter'>;
  readonly times: number;
} {
  return unit === 'quarter' ? { unit: 'month', times: 3 } : { unit, times: 1 };
}
