import { decimalText, parseDecimal, type Digits } from './decimal-key.ts';

/** A decimal as a whole number of units of `10^-scale`. */
interface Scaled {
  readonly units: bigint;
  readonly scale: number;
}

/** Numbers whose digits lie farther apart than this are not computed with: 1e9999 + 1e-9999 would fill memory. */
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

/** The names under which SQL calls `computeDecimal`. */
export const decimalOperations = Object.keys(operations);

/**
 * Computes exactly with two decimals as SQLite keeps them, in text or as numbers.
 *
 * @returns the result as plain digits without trailing zeros; null where a side is null or no number, or for a division by zero
 */
export function computeDecimal(operation: string, left: unknown, right: unknown): string | null {
  const [a, b] = [parseDecimal(left), parseDecimal(right)];
  if (left === null || right === null || a === undefined || b === undefined) return null;
  const scale = Math.max(0, a.digits.length - a.exponent, b.digits.length - b.exponent);
  if (scale + Math.max(0, a.exponent, b.exponent) > widest) return null;
  const result = operations[operation]?.(scaled(a, scale), scaled(b, scale), scale);
  return result === null || result === undefined ? null : decimalText(result.units, result.scale);
}
