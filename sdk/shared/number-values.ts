import type { ColumnContext, ParseResult } from './column-type.ts';
import type { StorageKind } from './storage-kind.ts';

const integerText = /^[+-]?\d{1,20}$/;
/** The range of 64-bit numbers, signed or unsigned; a column's database may allow less. */
const [leastInteger, mostInteger] = [-(2n ** 63n), 2n ** 64n - 1n];
const decimalText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
const grouped = /^[+-]?\d{1,3}(?:[, \u00A0\u202F']\d{3})+(?:\.\d+)?$/;

/** No column stores a longer number. Longer texts are refused before a pattern is applied. */
const longestText = 100;

/** `3.400,50`, `3 400,50`, `3400,5` and `0,125` have a decimal comma; `1,234` is ambiguous. */
const withComma =
  /^[+-]?(?:[1-9]\d{0,2}(?<between>[. \u00A0\u202F'])\d{3}(?:\k<between>\d{3})*,\d+|\d+,(?:\d{1,2}|\d{4,})|0,\d+)$/;

/**
 * A pasted number without surrounding blanks and thousands separators, with a point before its fraction; undefined when it is too
 * long. A single comma before three digits separates thousands.
 */
function bareNumber(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > longestText) return undefined;
  if (withComma.test(trimmed)) return trimmed.replace(/[. \u00A0\u202F']/g, '').replace(',', '.');
  return grouped.test(trimmed) ? trimmed.replace(/[, \u00A0\u202F']/g, '') : trimmed;
}

/** Texts that are one number with a decimal comma and another one with a decimal point. */
const eitherWay = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;
const withPoint = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d*)\.\d+$/;
const withGroups = /^[+-]?\d{1,3}(?:,\d{3}){2,}$/;

/**
 * For the `readTogether` of a column type. Together with numbers that certainly have a decimal comma, such as `0,5`, the comma of
 * `1,125` is a decimal comma too, and the point of `1.125` separates thousands. Together with decimal points nothing changes.
 * @public
 */
export function readNumbersTogether(texts: readonly string[]): ((text: string) => string) | undefined {
  const numbers = texts.flatMap((text) => (text.length > longestText ? [] : [text.trim()]));
  const hasPoint = (text: string) => !eitherWay.test(text) && (withPoint.test(text) || withGroups.test(text));
  if (!numbers.some((text) => withComma.test(text)) || numbers.some(hasPoint)) return undefined;
  return (text) => {
    const bare = text.length > longestText ? '' : text.trim();
    return eitherWay.test(bare) ? bare.replace('.', '').replace(',', '.') : text;
  };
}

/** Whether columns of this kind store fractions. @public */
export function keepsFraction(storage: StorageKind): boolean {
  return storage === 'decimal' || storage === 'float';
}

/** Reads a whole number, for a column type's `parse`. Beyond 2^53 it stays text, because a double would round it. @public */
export function parseInteger(input: unknown): ParseResult<number | string> {
  if (input === null || input === undefined || input === '') return { ok: true, value: null };
  if (typeof input === 'boolean') return { ok: true, value: input ? 1 : 0 };
  if (typeof input === 'number') {
    if (!Number.isInteger(input)) return { ok: false, message: 'must be a whole number' };
    return Number.isSafeInteger(input)
      ? { ok: true, value: input === 0 ? 0 : input }
      : { ok: false, message: 'is too large for a JSON number; send it as a text of digits' };
  }
  if (typeof input !== 'string') return { ok: false, message: 'must be a whole number' };
  const text = bareNumber(input)?.replace(/\.0+$/, '');
  if (text === '') return { ok: true, value: null };
  if (text === undefined || !integerText.test(text)) return { ok: false, message: 'must be a whole number' };
  const exact = BigInt(text.replace(/^\+/, ''));
  if (exact > mostInteger || exact < leastInteger)
    return { ok: false, message: 'must lie between -9223372036854775808 and 18446744073709551615' };
  const value = Number(exact);
  return { ok: true, value: Number.isSafeInteger(value) ? value : exact.toString() };
}

/**
 * Reads a number with a fraction, for a column type's `parse`. It stays text when a double cannot hold exactly these digits.
 *
 * @param column the column; if it stores doubles, every double is accepted, since clients send cells back
 * @public
 */
export function parseDecimal(
  input: unknown,
  column?: Pick<ColumnContext, 'storage'>,
): ParseResult<number | string> {
  const keepsDoubles = column?.storage === 'float';
  if (input === null || input === undefined || input === '') return { ok: true, value: null };
  if (typeof input === 'boolean') return { ok: true, value: input ? 1 : 0 };
  if (typeof input === 'number') {
    if (!Number.isFinite(input)) return { ok: false, message: 'must be a finite number' };
    if (Number.isInteger(input) && !Number.isSafeInteger(input) && !keepsDoubles) {
      return { ok: false, message: 'is too large for a JSON number; send it as a text of digits' };
    }
    if (!keepsDoubles && plainDigits(String(input)) === undefined)
      return { ok: false, message: 'has more digits than can be kept' };
    return { ok: true, value: input === 0 ? 0 : input };
  }
  if (typeof input !== 'string') return { ok: false, message: 'must be a number' };
  const text = bareNumber(input);
  if (text === '') return { ok: true, value: null };
  if (text === undefined || !decimalText.test(text)) return { ok: false, message: 'must be a number' };
  const plain = plainDigits(text);
  if (plain === undefined) {
    const double = Number(text);
    if (keepsDoubles && Number.isFinite(double)) return { ok: true, value: double };
    return { ok: false, message: 'has more digits than can be kept' };
  }
  const value = Number(plain);
  return { ok: true, value: plainDigits(String(value)) === plain ? value : plain };
}

/** `1.50e2` as `150`: no exponent, no superfluous zero or sign. Undefined beyond 65 digits. */
function plainDigits(text: string): string | undefined {
  const match = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent);
  if (Math.abs(shift) > 65) return undefined;
  const digits = whole + fraction;
  const point = whole.length + shift;
  const padded = point <= 0 ? '0'.repeat(-point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 0);
  const left = padded.slice(0, at).replace(/^0+(?=\d)/, '') || '0';
  const right = padded.slice(at).replace(/0+$/, '');
  if (left.length + right.length > 65) return undefined;
  const unsigned = right === '' ? left : `${left}.${right}`;
  return sign === '-' && /[1-9]/.test(unsigned) ? `-${unsigned}` : unsigned;
}
