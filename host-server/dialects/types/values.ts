import type { Binding } from '../../sql/session.ts';
import { valueError } from './value-errors.ts';

/** Reads values from the wire into one exact form for each kind; each dialect writes that form in its own way. */

/** A method of ES2024 that Node 20 has and the compiler's ES2023 library lacks; it is several times as fast as a regular expression. */
interface CheckedText {
  isWellFormed(): boolean;
}

export function readBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === 0) return value === 1;
  if (typeof value === 'string') {
    const text = value.trim().toLowerCase();
    if (text === 'true' || text === '1') return true;
    if (text === 'false' || text === '0') return false;
  }
  throw valueError('VALUE_NOT_BOOLEAN');
}

/** A whole number from `least` to `most`; beyond 2^53 it must be sent as text, since JSON numbers lose digits. */
export function readInteger(value: unknown, least: bigint, most: bigint): number | bigint {
  // Compared as numbers: a bulk write has thousands, and each would need three bigints.
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    if (value < least || value > most)
      throw valueError('VALUE_OUT_OF_RANGE', { least: String(least), most: String(most) });
    return value === 0 ? 0 : value;
  }
  const whole = toBigInt(value);
  if (whole < least || whole > most)
    throw valueError('VALUE_OUT_OF_RANGE', { least: String(least), most: String(most) });
  return toNumberIfExact(whole);
}

function toBigInt(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) throw valueError('VALUE_NOT_WHOLE');
    if (!Number.isSafeInteger(value)) {
      throw valueError('VALUE_NOT_EXACT');
    }
    return BigInt(value);
  }
  if (typeof value === 'string' && /^\s*[+-]?\d{1,40}\s*$/.test(value))
    return BigInt(value.trim().replace(/^\+/, ''));
  throw valueError('VALUE_NOT_WHOLE');
}

function toNumberIfExact(whole: bigint): number | bigint {
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : whole;
}

/** The form of most decimals, as column type, codec and database pass them to each other. */
const plainDecimal = /^(?:0|[1-9]\d{0,40})(?:\.\d{1,40})?$/;

/** A decimal as plain digits, without sign of zero, leading zeros or exponent: `-12.50`. */
export function readDecimal(value: unknown): string {
  if (typeof value === 'string' && plainDecimal.test(value)) return value;
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return String(value);
    if (!Number.isFinite(value)) throw valueError('VALUE_NOT_FINITE');
    if (Number.isInteger(value)) throw valueError('VALUE_NOT_EXACT');
    const text = String(value);
    if (plainDecimal.test(text)) return text;
  } else if (typeof value !== 'string' && typeof value !== 'bigint') {
    throw valueError('VALUE_NOT_DECIMAL');
  }
  const match = /^\s*([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?\s*$/.exec(String(value));
  const whole = match?.[2] ?? '';
  const fraction = match?.[3] ?? '';
  if (match === null || whole + fraction === '') throw valueError('VALUE_NOT_DECIMAL');
  const exponent = Number(match[4] ?? 0);
  if (Math.abs(exponent) > 400 || whole.length + fraction.length > 1000) {
    throw valueError('VALUE_DIGITS');
  }
  return shift(match[1] === '-', whole, fraction, exponent);
}

function shift(negative: boolean, whole: string, fraction: string, exponent: number): string {
  const digits = whole + fraction;
  const point = whole.length + exponent;
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const split = point <= 0 ? 1 : point;
  const left = padded.slice(0, split).replace(/^0+(?=\d)/, '');
  const right = padded.slice(split);
  const plain = right === '' ? left : `${left}.${right}`;
  return negative && /[1-9]/.test(plain) ? `-${plain}` : plain;
}

/** Rounds half away from zero, as PostgreSQL and MySQL do. */
export function roundDecimal(text: string, scale: number): string {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  if (fraction.length <= scale) return text;
  const kept = BigInt(whole + fraction.slice(0, scale));
  const rounded = (Number(fraction[scale]) >= 5 ? kept + 1n : kept).toString().padStart(scale + 1, '0');
  const split = rounded.length - scale;
  const plain = scale === 0 ? rounded : `${rounded.slice(0, split)}.${rounded.slice(split)}`;
  return text.startsWith('-') && /[1-9]/.test(plain) ? `-${plain}` : plain;
}

/** Throws when more than `precision - scale` digits stand before the point. */
export function checkPrecision(text: string, precision: number, scale: number): void {
  const whole = text.replace('-', '').split('.')[0] ?? '';
  if (whole !== '0' && whole.length > precision - scale) {
    throw valueError('VALUE_DIGITS_BEFORE', { most: precision - scale });
  }
}

export function readFloat(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw valueError('VALUE_NOT_FINITE');
  return number === 0 ? 0 : number;
}

/** Text that all databases store unchanged: PostgreSQL refuses NUL, and a lone surrogate has no UTF-8. */
export function readText(value: unknown): string {
  const text =
    typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
      ? String(value)
      : value;
  if (typeof text !== 'string') throw valueError('VALUE_NOT_TEXT');
  if (text.includes('\0')) throw valueError('VALUE_HAS_NUL');
  if (!(text as unknown as CheckedText).isWellFormed()) throw valueError('VALUE_HALF_CHARACTER');
  return text;
}

export function checkLength(text: string, most: number | undefined): string {
  if (most !== undefined && text.length > most && Array.from(text).length > most) {
    throw valueError('VALUE_TOO_LONG', { most });
  }
  return text;
}

/** JSON as text: a text that is JSON stays as written, any other value is written as JSON. */
export function readJson(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === undefined) throw valueError('VALUE_NOT_JSON');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw valueError('VALUE_NOT_JSON', {}, error);
  }
  checkJsonText(parsed);
  return readText(text);
}

function checkJsonText(value: unknown): void {
  if (typeof value === 'string') {
    readText(value);
  } else if (Array.isArray(value)) {
    value.forEach(checkJsonText);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      readText(key);
      checkJsonText(item);
    }
  }
}

/** Bytes, or their base64 text. */
export function readBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(value) && value.length % 4 === 0) {
    return Buffer.from(value, 'base64');
  }
  throw valueError('VALUE_NOT_BYTES');
}

export function bytesToText(raw: unknown): unknown {
  return raw instanceof Uint8Array
    ? Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('base64')
    : raw;
}

/** Whole numbers as numbers if a double holds them, else as text. */
export function integerToWire(raw: unknown): unknown {
  if (typeof raw === 'bigint') return Number.isSafeInteger(Number(raw)) ? Number(raw) : raw.toString();
  if (typeof raw === 'string' && /^-?\d+$/.test(raw)) {
    const number = Number(raw);
    return Number.isSafeInteger(number) ? number : raw;
  }
  return raw;
}

/** Returns null for `null` and missing values, and passes all others to `read`. */
export function orNull(read: (value: unknown) => Binding): (value: unknown) => Binding {
  return (value) => (value === null || value === undefined ? null : read(value));
}
