import { datePieces, type DateLetters } from './default.ts';

export type DatePart = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'half';

type MonthName = 'short' | 'long';

interface Reading {
  readonly part: DatePart;
  /** The regular expression for the letters, which all databases read alike. */
  readonly pattern: string;
  /** The number of characters that match; undefined where it varies. */
  readonly width?: number;
  readonly name?: MonthName;
}

/** The first three letters of each month's name in English, which identify it. */
export const monthLetters = 'janfebmaraprmayjunjulaugsepoctnovdec';

const monthNames =
  'January February March April May June July August September October November December'.split(' ');

/** Any of some words, in upper or lower case. */
function anyOf(words: readonly string[]): string {
  return words
    .map((word) => word.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`))
    .join('|');
}

const readings: Readonly<Partial<Record<DateLetters, Reading>>> = {
  YYYY: { part: 'year', pattern: '(?!0000)[0-9]{4}', width: 4 },
  MMMM: { part: 'month', pattern: anyOf(monthNames), name: 'long' },
  MMM: { part: 'month', pattern: anyOf(monthNames.map((name) => name.slice(0, 3))), width: 3, name: 'short' },
  MM: { part: 'month', pattern: '0[1-9]|1[0-2]', width: 2 },
  M: { part: 'month', pattern: '1[0-2]|0?[1-9]' },
  DD: { part: 'day', pattern: '0[1-9]|[12][0-9]|3[01]', width: 2 },
  D: { part: 'day', pattern: '[12][0-9]|3[01]|0?[1-9]' },
  HH: { part: 'hour', pattern: '[01][0-9]|2[0-3]', width: 2 },
  H: { part: 'hour', pattern: '1[0-9]|2[0-3]|0?[0-9]' },
  hh: { part: 'hour', pattern: '0[1-9]|1[0-2]', width: 2 },
  h: { part: 'hour', pattern: '1[0-2]|0?[1-9]' },
  mm: { part: 'minute', pattern: '[0-5][0-9]', width: 2 },
  ss: { part: 'second', pattern: '[0-5][0-9]', width: 2 },
  A: { part: 'half', pattern: '[AaPp][Mm]', width: 2 },
};

/** How a text is read as a date. */
export interface ReadPattern {
  /** The regular expression for the whole text, without anchors. It has a group for each part. */
  readonly pattern: string;
  /** The number of each part's group, from 1. */
  readonly groups: ReadonlyMap<DatePart, number>;
  /** The form of a month's name, if the month is not a number; a name begins with three of `monthLetters`. */
  readonly monthName: MonthName | undefined;
  /**
   * The position of each part, for databases without regular expressions; undefined if a part may have one digit or two, or is a
   * whole name.
   */
  readonly places: readonly ReadPlace[] | undefined;
}

/** Characters of a text: a part of a date, or literal words. */
export type ReadPlace = { readonly part: DatePart; readonly width: number } | { readonly words: string };

/** Prepares a pattern for reading dates; undefined when its letters cannot be read, or mean the same part twice. */
export function readPattern(given: string): ReadPattern | undefined {
  let pattern = '';
  const groups = new Map<DatePart, number>();
  const places: ReadPlace[] = [];
  let hasFixedPlaces = true;
  let monthName: MonthName | undefined;
  for (const piece of datePieces(given)) {
    if ('words' in piece) {
      pattern += piece.words.replace(/[\\^$.*+?()[\]{}|]/, String.raw`\$&`);
      places.push(piece);
      continue;
    }
    const reading = readings[piece.letters];
    if (reading === undefined || groups.has(reading.part)) return undefined;
    groups.set(reading.part, groups.size + 1);
    pattern += `(${reading.pattern})`;
    monthName ??= reading.name;
    if (reading.width === undefined) hasFixedPlaces = false;
    else places.push({ part: reading.part, width: reading.width });
  }
  if (!groups.has('year')) return undefined;
  return { pattern, groups, monthName, places: hasFixedPlaces ? places : undefined };
}
