import { parseDecimal, type ParseResult } from '@trellis/sdk/shared';

/** How a column writes amounts; the keys are those of the v1 API. */
export type CurrencyOptions = {
  /** As in `de-DE`. */
  readonly currency_locale: string;
  /** As in `EUR`. */
  readonly currency_code: string;
};

export const defaultCurrencyOptions: CurrencyOptions = { currency_locale: 'en-US', currency_code: 'USD' };

interface Writer {
  readonly format: Intl.NumberFormat;
  /** The signs that stand between thousands and before the fraction. */
  readonly group: string;
  readonly point: string;
}

/** Digits of a fraction beyond the currency's own are shown where a value has them: nothing that is stored is hidden. */
const mostDigits = 20;
const writers = new Map<string, Writer | undefined>();

function makeWriter({
  currency_locale: locale,
  currency_code: currency,
}: CurrencyOptions): Writer | undefined {
  try {
    const shortest = new Intl.NumberFormat(locale, { style: 'currency', currency }).resolvedOptions();
    const minimumFractionDigits = shortest.minimumFractionDigits ?? 0;
    const format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits,
      maximumFractionDigits: mostDigits,
    });
    const sign = (type: string) => format.formatToParts(123456.5).find((part) => part.type === type)?.value;
    return { format, group: sign('group') ?? ',', point: sign('decimal') ?? '.' };
  } catch {
    return undefined;
  }
}

/** Making one takes longer than a page of cells; columns of one server use few of them. */
function writerOf(options: CurrencyOptions): Writer | undefined {
  const key = `${options.currency_locale} ${options.currency_code}`;
  if (!writers.has(key)) {
    if (writers.size > 200) writers.clear();
    writers.set(key, makeWriter(options));
  }
  return writers.get(key);
}

/** An amount as people of the locale write it; the plain number where locale or currency are not known. */
export function writeMoney(value: number | string, options: CurrencyOptions): string {
  const writer = writerOf(options);
  // A text of digits is written digit by digit; a number would lose those that a double does not hold.
  return writer === undefined ? String(value) : writer.format.format(value as number);
}

const plainNumber = /^[+-]?(?:\d{1,60}(?:\.\d{0,60})?|\.\d{1,60})$/;
/** Digits and separators, in brackets where a book-keeper means a negative amount. */
const amount =
  /^(\()?([+-]?)\D{0,8}?([+-]?)(\d[\d.,'’\s\u00A0\u202F\u066C]{0,90}|[.,]\d{1,60})([^\d.,]{0,8})$/;

/** Reads what people type and paste for an amount: with or without sign, separators of the locale, currency and brackets. */
export function readMoney(input: unknown, options: CurrencyOptions): ParseResult<number | string> {
  if (typeof input !== 'string') return parseDecimal(input);
  const text = input.trim().replace('\u2212', '-');
  if (text === '' || plainNumber.test(text)) return parseDecimal(text);
  const refused: ParseResult<number | string> = { ok: false, message: 'must be an amount such as 1234.50' };
  if (text.length > 120) return refused;
  const found = amount.exec(text);
  const writer = writerOf(options);
  if (!found) return refused;
  const [, bracket, before = '', after = '', digits = '', rest = ''] = found;
  if ((bracket === '(') !== rest.includes(')')) return refused;
  const point = writer?.point ?? '.';
  const [whole = '', fraction, ...more] = digits.trim().split(point);
  if (more.length > 0) return refused;
  const plain =
    whole.replace(/[.,'’\s\u00A0\u202F\u066C]/g, '') + (fraction === undefined ? '' : `.${fraction}`);
  const isNegative = bracket === '(' || before === '-' || after === '-';
  const read = parseDecimal(`${isNegative ? '-' : ''}${plain}`);
  return read.ok ? read : refused;
}
