import type { FormulaMoment, FormulaValue } from '@trellis/sdk/shared';

/** The inputs and results of formulas outside databases. */
export type Value = FormulaValue;
export type Moment = FormulaMoment;

export function isMoment(value: Value): value is Moment {
  return typeof value === 'object' && value !== null;
}

const decimalText = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/;

/** The digits of a number without an exponent, and how many of them follow the point. */
interface Digits {
  readonly value: bigint;
  readonly scale: number;
}

function digitsOf(text: string): Digits {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = decimalText.exec(text) ?? [];
  const shift = Number(exponent);
  const scale = fraction.length - shift;
  const value = BigInt(`${whole}${fraction}` || '0') * (sign === '-' ? -1n : 1n);
  return scale >= 0 ? { value, scale } : { value: value * 10n ** BigInt(-scale), scale: 0 };
}

function textOfDigits({ value, scale }: Digits): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  const unsigned = fraction === '' ? whole : `${whole}.${fraction}`;
  return value < 0n ? `-${unsigned}` : unsigned;
}

/** `1.50e2` as `150`: a number without exponent and without superfluous zeros. */
export function plainDigits(text: string): string {
  return textOfDigits(digitsOf(text));
}

/** A number's text on every database: fifteen significant digits, no exponent. */
function numberText(value: number): string {
  return plainDigits(value.toPrecision(15));
}

/** The limits of operations on doubles, as in the query compiler: beyond them the result is empty. */
const farthest = 700;
const mostAdded = 1e307;
/** The limit for conversion to a decimal: all databases have room for it. */
const mostDecimal = 1e34;

/** The product of two numbers; null if it would overflow or underflow. */
export function product(left: number, right: number): number | null {
  const size = left === 0 || right === 0 ? 0 : Math.log(Math.abs(left)) + Math.log(Math.abs(right));
  return Math.abs(size) <= farthest ? left * right : null;
}

/** The quotient of two numbers; null for a zero divisor, and with the limits of a product. */
export function quotient(left: number, right: number): number | null {
  return right === 0 || product(left, 1 / right) === null ? null : left / right;
}

/** The sum of two numbers; null if one may be too large. */
export function added(left: number | null, right: number | null): number | null {
  if (left === null || right === null) return null;
  return Math.abs(left) <= mostAdded && Math.abs(right) <= mostAdded ? left + right : null;
}

export type Rounding = 'half' | 'up' | 'down' | 'ceiling' | 'floor';

/** Rounds the displayed digits of a number, so that 1.005 is rounded to 1.01. Halves round away from zero. */
export function rounded(value: number, places: number, rounding: Rounding): number | null {
  if (Math.abs(value) > mostDecimal) return null;
  const { value: digits, scale } = digitsOf(value.toPrecision(15));
  if (scale <= places) return value;
  const step = 10n ** BigInt(scale - places);
  const whole = digits / step;
  const rest = digits % step;
  const away = whole + (digits < 0n ? -1n : 1n);
  const chosen = rest === 0n ? whole : chooseWhole(rounding, { whole, away, rest, step });
  return places >= 0
    ? Number(textOfDigits({ value: chosen, scale: places }))
    : Number(chosen * 10n ** BigInt(-places));
}

function chooseWhole(
  rounding: Rounding,
  { whole, away, rest, step }: Readonly<Record<'whole' | 'away' | 'rest' | 'step', bigint>>,
): bigint {
  switch (rounding) {
    case 'half':
      return 2n * (rest < 0n ? -rest : rest) >= step ? away : whole;
    case 'up':
      return away;
    case 'down':
      return whole;
    case 'ceiling':
      return rest > 0n ? away : whole;
    case 'floor':
      return rest < 0n ? away : whole;
  }
}

/** The remainder, with the sign of the first number, without rounding errors of doubles; null for a zero divisor. */
export function remainder(left: number, right: number): number | null {
  if (right === 0 || Math.max(Math.abs(left), Math.abs(right)) > mostDecimal) return null;
  const [a, b] = [digitsOf(left.toPrecision(15)), digitsOf(right.toPrecision(15))];
  const scale = Math.max(a.scale, b.scale);
  const at = ({ value, scale: own }: Digits) => value * 10n ** BigInt(scale - own);
  return Number(textOfDigits({ value: at(a) % at(b), scale }));
}

/** A value as text, as `TEXT` gives it. */
export function textOf(value: Value): string | null {
  if (value === null) return null;
  if (typeof value === 'number') return Math.abs(value) > mostDecimal ? null : numberText(value);
  if (isMoment(value)) return value.text;
  return String(value);
}

const day = /^(\d{4})-(\d\d)-(\d\d)$/;
const moment = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:Z|\+00(?::?00)?)?$/;

/** Parses a day or a moment; undefined for any other text, and for a day that does not exist. */
export function momentOf(text: string): Moment | undefined {
  if (day.test(text)) return isDay(text) ? { kind: 'date', text } : undefined;
  const [, date = '', time = ''] = moment.exec(text) ?? [];
  if (!isDay(date) || Number.isNaN(Date.parse(`${date}T${time}Z`))) return undefined;
  const whole = time.length === 5 ? `${time}:00` : time;
  return { kind: 'datetime', text: `${date} ${whole.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')}` };
}

function isDay(text: string): boolean {
  if (!day.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** The start of a day, or a moment, in milliseconds UTC. */
export function timeOf({ kind, text }: Moment): number {
  return Date.parse(kind === 'date' ? `${text}T00:00:00Z` : `${text.replace(' ', 'T')}Z`);
}

/** The day or moment of these milliseconds; null outside the years 1 to 9999, the range of databases. */
export function momentAt(kind: Moment['kind'], time: number): Moment | null {
  if (!Number.isFinite(time) || Math.abs(time) > 8.64e15) return null;
  const at = new Date(time);
  const year = at.getUTCFullYear();
  if (year < 1 || year > 9999) return null;
  const text = at.toISOString();
  if (kind === 'date') return { kind, text: text.slice(0, 10) };
  const fraction = text.slice(19, 23) === '.000' ? '' : text.slice(19, 23).replace(/0+$/, '');
  return { kind, text: `${text.slice(0, 10)} ${text.slice(11, 19)}${fraction}` };
}

/** The most characters of a text that a formula creates. */
export const longestText = 1_000_000;

/** The texts joined, truncated to `longestText`. */
export function concatenated(texts: readonly string[]): string {
  let whole = '';
  for (const text of texts) {
    // A character takes up to two UTF-16 units: everything after twice as many is truncated in any case.
    whole += text.slice(0, 2 * longestText - whole.length);
  }
  return whole.length <= longestText ? whole : Array.from(whole).slice(0, longestText).join('');
}
