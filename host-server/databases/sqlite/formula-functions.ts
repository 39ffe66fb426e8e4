import { decimalText, parseDecimal } from './decimal-key.ts';

const mostPlaces = 15;

/** A number as text: the first fifteen digits of a double, decimals as they are; no exponent and no superfluous zeros. */
export function numberText(value: unknown): string | null {
  const parsed = parsed15(value);
  return parsed === undefined ? null : decimalText(parsed.units, parsed.scale);
}

/** Rounds a decimal text or a double as `NumberSql.round` says. */
export function roundDecimal(value: unknown, places: unknown, rounding: unknown): string | null {
  const parsed = parsed15(value);
  if (parsed === undefined || typeof places !== 'number' || Math.abs(places) > mostPlaces) return null;
  const { units, scale } = parsed;
  if (scale <= places) return decimalText(units, scale);
  const step = 10n ** BigInt(scale - places);
  const rest = units % step;
  const cut = units - rest;
  const away = cut + (units < 0n ? -step : step);
  return decimalText(rest === 0n || !goesAway(rounding, { rest, step }) ? cut : away, scale);
}

function goesAway(
  rounding: unknown,
  { rest, step }: { readonly rest: bigint; readonly step: bigint },
): boolean {
  switch (rounding) {
    case 'half':
      return 2n * (rest < 0n ? -rest : rest) >= step;
    case 'up':
      return true;
    case 'ceiling':
      return rest > 0n;
    case 'floor':
      return rest < 0n;
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
  return value.split(separator)[number - 1] ?? '';
}
