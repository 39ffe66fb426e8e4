/** Comparison and sums of decimals that are stored as text. */

/** The parts of a decimal. */
export interface Digits {
  readonly negative: boolean;
  /** Significant digits, without leading or trailing zeros. */
  readonly digits: string;
  /** The position of the point: the value is `0.digits * 10^exponent`. */
  readonly exponent: number;
}

const DECIMAL = /^\s*([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,5}))?\s*$/;
const EXPONENT_OFFSET = 500_000;

/**
 * A text that sorts as the numbers do and is equal where they are equal: `1.5` and `1.50` have one key. `null` for anything but a
 * decimal number.
 */
export function decimalKey(value: unknown): string | null {
  const number = parseDecimal(value);
  if (number === undefined) return null;
  if (number.digits === '') return '1';
  const exponent = String(number.exponent + EXPONENT_OFFSET).padStart(7, '0');
  if (!number.negative) return `2${exponent}${number.digits}`;
  // Among negatives, larger magnitudes come first; the end mark sorts after every digit, so that -1.25 precedes -1.2.
  return `0${complement(exponent)}${complement(number.digits)}~`;
}

/** The number of a key, without trailing zeros. */
export function decimalOfKey(key: string): string {
  if (key === '1') return '0';
  const negative = key.startsWith('0');
  const plain = negative ? complement(key.slice(1, -1)) : key.slice(1);
  const exponent = Number(plain.slice(0, 7)) - EXPONENT_OFFSET;
  const digits = plain.slice(7);
  const whole = exponent <= 0 ? '0' : digits.slice(0, exponent).padEnd(exponent, '0');
  const fraction = exponent <= 0 ? '0'.repeat(-exponent) + digits : digits.slice(exponent);
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The exact sum of decimal texts. */
export class DecimalSum {
  #scale = 0;
  #total: bigint | undefined;

  add(value: unknown): void {
    const number = parseDecimal(value);
    if (number === undefined) return;
    const scale = Math.max(0, number.digits.length - number.exponent);
    if (scale > this.#scale) {
      this.#total = (this.#total ?? 0n) * 10n ** BigInt(scale - this.#scale);
      this.#scale = scale;
    }
    const whole =
      number.digits === ''
        ? 0n
        : BigInt(number.digits) * 10n ** BigInt(this.#scale + number.exponent - number.digits.length);
    this.#total = (this.#total ?? 0n) + (number.negative ? -whole : whole);
  }

  /** `null` if there was nothing to add, as with SQL's `sum`. */
  result(): string | null {
    if (this.#total === undefined) return null;
    return decimalText(this.#total, this.#scale);
  }
}

/** `units * 10^-scale` as plain digits, without trailing zeros after the point. */
export function decimalText(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const split = digits.length - scale;
  const fraction = digits.slice(split).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, split)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Undefined for anything but a decimal number. */
export function parseDecimal(value: unknown): Digits | undefined {
  const match = DECIMAL.exec(String(value));
  const whole = match?.[2] ?? '';
  const fraction = match?.[3] ?? '';
  if (match === null || whole + fraction === '') return undefined;
  const leading = (whole + fraction).replace(/^0+/, '');
  const skipped = whole.length + fraction.length - leading.length;
  return {
    negative: match[1] === '-',
    digits: leading.replace(/0+$/, ''),
    exponent: whole.length - skipped + Number(match[4] ?? 0),
  };
}

function complement(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
}
