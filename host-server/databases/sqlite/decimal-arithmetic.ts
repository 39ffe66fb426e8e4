import { decimalText, parseDecimal, type Digits } from './decimal-key.ts';

/** A decimal as a whole number of units of `10^-scale`. */
interface Scaled {
  readonly units: bigint;
  readonly scale: number;
}

/** The largest distance between the digits of two numbers to compute with: 1e9999 + 1e-9999 would fill memory. */
const widest = 2000;

function scaled({ negative, digits, exponent }: Digits, scale: number): bigint {
  if (digits === '') return 0n;
  const units = BigInt(digits) * 10n ** BigInt(scale + exponent - digits.length);
  return negative ? -units : units;
}

const operations: Readonly<Record<string, (left: bigint, right: bigint, scale: number) => Scaled | null>> = {
  add: (left, right, scale) => ({ units: left + right, scale }),
  subtract: (left, right, scale) => ({ units: left - right, scale }),
  multiply: (left, right, scale) => ({ units: left * right, scale: 2 * scale }),
  modulo: (left, right, scale) => (right === 0n ? null : { units: left % right, scale }),
};

/** A decimal with so few digits that doubles compute with it exactly: `units / 10^scale`. */
export interface SmallDecimal {
  readonly units: number;
  readonly scale: number;
}

/** A product of two numbers of seven digits has fewer digits than a double holds. */
const fewDigits = 7;

/** Reads the content of most cells, character by character; undefined for anything else. */
export function smallDecimalOf(value: unknown): SmallDecimal | undefined {
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 10 ** fewDigits
      ? { units: value, scale: 0 }
      : undefined;
  if (typeof value !== 'string' || value.length > fewDigits + 2) return undefined;
  const isNegative = value.startsWith('-');
  let units = 0;
  let digits = 0;
  let scale = -1;
  for (let at = isNegative ? 1 : 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if (code === 46 && scale < 0) scale = 0;
    else if (code >= 48 && code <= 57) {
      units = units * 10 + code - 48;
      digits += 1;
      if (scale >= 0) scale += 1;
    } else return undefined;
  }
  if (digits === 0 || digits > fewDigits) return undefined;
  return { units: isNegative ? -units : units, scale: Math.max(scale, 0) };
}

function computeSmall(operation: string, a: SmallDecimal, b: SmallDecimal): SmallDecimal | undefined {
  if (operation === 'multiply') return { units: a.units * b.units, scale: a.scale + b.scale };
  const scale = Math.max(a.scale, b.scale);
  const [left, right] = [a.units * 10 ** (scale - a.scale), b.units * 10 ** (scale - b.scale)];
  if (operation === 'add') return { units: left + right, scale };
  return operation === 'subtract' ? { units: left - right, scale } : undefined;
}

export function smallDecimalText({ units, scale }: SmallDecimal): string {
  if (scale === 0) return String(units + 0);
  const digits = String(Math.abs(units)).padStart(scale + 1, '0');
  const split = digits.length - scale;
  let end = digits.length;
  while (end > split && digits.charCodeAt(end - 1) === 48) end -= 1;
  const whole = digits.slice(0, split);
  const text = end === split ? whole : `${whole}.${digits.slice(split, end)}`;
  return units < 0 ? `-${text}` : text;
}

/** The names under which SQL calls `computeDecimal`. */
export const decimalOperations = Object.keys(operations);

/**
 * Computes exactly with two decimals in SQLite's storage, text or numbers.
 *
 * @returns the result as plain digits without trailing zeros; null where a side is null or no number, or for a division by zero
 */
export function computeDecimal(operation: string, left: unknown, right: unknown): string | null {
  const [x, y] = [smallDecimalOf(left), smallDecimalOf(right)];
  const small = x && y && computeSmall(operation, x, y);
  if (small !== undefined) return smallDecimalText(small);
  const [a, b] = [parseDecimal(left), parseDecimal(right)];
  if (left === null || right === null || a === undefined || b === undefined) return null;
  const scale = Math.max(0, a.digits.length - a.exponent, b.digits.length - b.exponent);
  if (scale + Math.max(0, a.exponent, b.exponent) > widest) return null;
  const result = operations[operation]?.(scaled(a, scale), scaled(b, scale), scale);
  return result === null || result === undefined ? null : decimalText(result.units, result.scale);
}
