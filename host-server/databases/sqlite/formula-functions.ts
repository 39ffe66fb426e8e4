import { lowerCase, upperCase } from '@trellis/sdk/shared';
import type { DateLetters, datePieces } from '../../dialects/dates/default.ts';
import { monthLetters, type DatePart } from '../../dialects/dates/read-pattern.ts';
import { smallDecimalOf, smallDecimalText, type SmallDecimal } from './decimal-arithmetic.ts';
import { decimalText, parseDecimal } from './decimal-key.ts';

const mostPlaces = 15;

/** A number as text: the first fifteen digits of a double, decimals as they are; no exponent and no superfluous zeros. */
export function numberText(value: unknown): string | null {
  const parsed = parsed15(value);
  return parsed === undefined ? null : decimalText(parsed.units, parsed.scale);
}

/** Rounds a decimal text or a double as `NumberSql.round` says. */
export function roundDecimal(value: unknown, places: unknown, rounding: unknown): string | null {
  if (typeof places !== 'number' || Math.abs(places) > mostPlaces) return null;
  const small = smallDecimalOf(value);
  if (small !== undefined) return smallDecimalText(roundSmall(small, places, rounding));
  const parsed = parsed15(value);
  if (parsed === undefined) return null;
  const { units, scale } = parsed;
  if (scale <= places) return decimalText(units, scale);
  const step = 10n ** BigInt(scale - places);
  const rest = units % step;
  const cut = units - rest;
  const away = cut + (units < 0n ? -step : step);
  const isHalf = 2n * (rest < 0n ? -rest : rest) >= step;
  return decimalText(goesAway(rounding, Number(rest), isHalf) ? away : cut, scale);
}

/** Rounds a decimal of few digits, which a double holds exactly. */
function roundSmall({ units, scale }: SmallDecimal, places: number, rounding: unknown): SmallDecimal {
  if (scale <= places) return { units, scale };
  const step = 10 ** (scale - places);
  const rest = units % step;
  const cut = units - rest;
  const isHalf = 2 * Math.abs(rest) >= step;
  return { units: goesAway(rounding, rest, isHalf) ? cut + (units < 0 ? -step : step) : cut, scale };
}

function goesAway(rounding: unknown, rest: number, isHalf: boolean): boolean {
  if (rest === 0) return false;
  switch (rounding) {
    case 'half':
      return isHalf;
    case 'up':
      return true;
    case 'ceiling':
      return rest > 0;
    case 'floor':
      return rest < 0;
    default:
      return false;
  }
}

function parsed15(value: unknown): { readonly units: bigint; readonly scale: number } | undefined {
  const number = parseDecimal(typeof value === 'number' ? value.toPrecision(15) : value);
  if (value === null || number === undefined || Math.abs(number.exponent) > 400) return undefined;
  const { negative, digits, exponent } = number;
  const scale = Math.max(0, digits.length - exponent);
  const units = digits === '' ? 0n : BigInt(digits) * 10n ** BigInt(scale + exponent - digits.length);
  return { units: negative ? -units : units, scale };
}

const numberPattern = /^ *[+-]?\d{1,15}(?:\.\d{1,15})? *$/;

/** The number that a text holds, as a decimal. */
export function numberOf(value: unknown): string | null {
  return typeof value === 'string' && numberPattern.test(value) ? numberText(value.trim()) : null;
}

export function repeatText(value: unknown, count: unknown): string | null {
  return typeof value === 'string' && typeof count === 'number' ? value.repeat(count) : null;
}

export function splitPart(value: unknown, separator: unknown, number: unknown): string | null {
  if (typeof value !== 'string' || typeof separator !== 'string' || typeof number !== 'number') return null;
  if (separator === '') return null;
  let from = 0;
  // Step by step: a list of all parts takes many times the memory of the text.
  for (let part = 1; part < number; part += 1) {
    const at = value.indexOf(separator, from);
    if (at < 0) return '';
    from = at + separator.length;
  }
  const end = value.indexOf(separator, from);
  return value.slice(from, end < 0 ? undefined : end);
}

/** As `TextSql.encodeUrl` says. */
export function encodeUrl(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const expressions = new Map<string, RegExp>();
const mostExpressions = 100;

function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern);
  if (known !== undefined) {
    known.lastIndex = 0;
    return known;
  }
  if (expressions.size >= mostExpressions) expressions.clear();
  const made = new RegExp(pattern, 'gu');
  expressions.set(pattern, made);
  return made;
}

/** Whether a text matches a pattern of ours, never one that a person wrote and nobody checked. */
export function matches(value: unknown, pattern: unknown): number | null {
  if (typeof value !== 'string' || typeof pattern !== 'string') return null;
  return expressionOf(pattern).test(value) ? 1 : 0;
}

/** As `TextSql.matchedPart` says. */
export function matchedPart(value: unknown, pattern: unknown): string | null {
  if (typeof value !== 'string' || typeof pattern !== 'string') return null;
  return expressionOf(pattern).exec(value)?.[0] ?? null;
}

/** As `TextSql.replaceMatches` says. */
export function replaceMatches(value: unknown, pattern: unknown, replacement: unknown): string | null {
  if (typeof value !== 'string' || typeof pattern !== 'string' || typeof replacement !== 'string')
    return null;
  return value.replace(expressionOf(pattern), () => replacement);
}

/** As `TextSql.proper` says. */
export function proper(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const words = value.split(' ').map((word) => {
    const [first = '', ...rest] = Array.from(word);
    return upperCase(first) + lowerCase(rest.join(''));
  });
  return words.join(' ');
}

/** A day or moment of the years that are kept; null for others. */
export function keptMoment(value: unknown): string | null {
  return typeof value === 'string' && value >= '0001' ? value : null;
}

/** As `keptMoment`, with the fraction of a second of the moment that it was made of by whole units. */
export function movedMoment(moved: unknown, of: unknown): string | null {
  const value = keptMoment(moved);
  if (value === null) return null;
  const [fraction = ''] = (typeof of === 'string' && fractionText.exec(of)) || [];
  return value + fraction;
}

/** Without zeros at its end, as moments are kept. */
const fractionText = /\.\d{0,5}[1-9]/;

const momentText = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?/;

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
}

function partsOf(value: unknown): Parts | undefined {
  const match = typeof value === 'string' ? momentText.exec(value) : null;
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0));
  const microsecond = Number((match[7] ?? '').padEnd(6, '0'));
  return { year, month, day, hour, minute, second, microsecond };
}

/** Whole months between two days or moments. */
export function monthsBetween(from: unknown, to: unknown): number | null {
  const [a, b] = [partsOf(from), partsOf(to)];
  if (a === undefined || b === undefined) return null;
  const inMonth = (of: Parts) =>
    of.day * 86_400 + of.hour * 3600 + of.minute * 60 + of.second + of.microsecond / 1e6;
  const months = (b.year - a.year) * 12 + b.month - a.month;
  if (months > 0 && inMonth(b) < inMonth(a)) return months - 1;
  return months < 0 && inMonth(b) > inMonth(a) ? months + 1 : months;
}

const two = (value: number) => String(value).padStart(2, '0');
const named = (style: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-US', { ...style, timeZone: 'UTC' });
  return ({ year, month, day }: Parts) => format.format(Date.UTC(2000 + (year % 400), month - 1, day));
};
const twelve = (hour: number) => ((hour + 11) % 12) + 1;

const writers: Readonly<Record<DateLetters, (of: Parts) => string>> = {
  YYYY: ({ year }) => String(year).padStart(4, '0'),
  YY: ({ year }) => two(year % 100),
  MMMM: named({ month: 'long' }),
  MMM: named({ month: 'short' }),
  MM: ({ month }) => two(month),
  M: ({ month }) => String(month),
  DD: ({ day }) => two(day),
  D: ({ day }) => String(day),
  dddd: named({ weekday: 'long' }),
  ddd: named({ weekday: 'short' }),
  HH: ({ hour }) => two(hour),
  H: ({ hour }) => String(hour),
  hh: ({ hour }) => two(twelve(hour)),
  h: ({ hour }) => String(twelve(hour)),
  mm: ({ minute }) => two(minute),
  ss: ({ second }) => two(second),
  A: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
};

const patterns = new Map<string, ReturnType<typeof datePieces>>();

/** Writes a day or moment by the pieces of a pattern, which come as JSON. */
export function formatDate(value: unknown, pieces: unknown): string | null {
  const parts = partsOf(value);
  if (parts === undefined || typeof pieces !== 'string') return null;
  let read = patterns.get(pieces);
  if (read === undefined) {
    if (patterns.size > 100) patterns.clear();
    read = JSON.parse(pieces) as ReturnType<typeof datePieces>;
    patterns.set(pieces, read);
  }
  return read.map((piece) => ('letters' in piece ? writers[piece.letters](parts) : piece.words)).join('');
}

interface KnownReading {
  readonly kind: 'date' | 'datetime';
  readonly expression: RegExp;
  readonly groups: ReadonlyMap<DatePart, number>;
  readonly isMonthNamed: boolean;
}

const known = new Map<string, KnownReading>();

function readingOf(json: string): KnownReading {
  let reading = known.get(json);
  if (reading === undefined) {
    if (known.size > 100) known.clear();
    const { kind, pattern, groups, isMonthNamed } = JSON.parse(json) as Pick<
      KnownReading,
      'kind' | 'isMonthNamed'
    > & {
      readonly pattern: string;
      readonly groups: readonly (readonly [DatePart, number])[];
    };
    reading = { kind, expression: new RegExp(`^${pattern}$`, 'u'), groups: new Map(groups), isMonthNamed };
    known.set(json, reading);
  }
  return reading;
}

/** Reads a day or moment by a pattern and its groups, which come as JSON: see `DateSql.read`. */
export function readDate(value: unknown, json: unknown): string | null {
  if (typeof value !== 'string' || typeof json !== 'string') return null;
  const { kind, expression, groups, isMonthNamed } = readingOf(json);
  const found = expression.exec(value);
  if (found === null) return null;
  const part = (name: DatePart, other = '00'): string => {
    const group = groups.get(name);
    return (group === undefined ? undefined : found[group])?.padStart(2, '0') ?? other;
  };
  const half = part('half').toUpperCase();
  const hour = groups.has('half')
    ? two((Number(part('hour')) % 12) + (half === 'PM' ? 12 : 0))
    : part('hour');
  const month = isMonthNamed
    ? two(monthLetters.indexOf(part('month').slice(0, 3).toLowerCase()) / 3 + 1)
    : part('month', '01');
  const day = `${part('year')}-${month}-${part('day', '01')}`;
  const at = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(day)) return null;
  return kind === 'date' ? day : `${day} ${hour}:${part('minute')}:${part('second')}`;
}
