import { parseDecimal, type ParseResult } from '@trellis/sdk/shared';

/** The format of amounts; the keys are those of the v1 API. */
export type CurrencyOptions = {
  /** Such as `de-DE`. */
  readonly currency_locale: string;
  /** Such as `EUR`. */
  readonly currency_code: string;
  /** An extension of the v1 API: see `isWrittenAsPage`. */
  readonly currency_format?: 'page' | 'locale';
};

export const defaultCurrencyOptions: CurrencyOptions = { currency_locale: 'en-US', currency_code: 'USD' };

interface Writer {
  readonly format: Intl.NumberFormat;
  /** Patterns for the locale's numbers, in its own digits and in Latin ones if these differ. */
  readonly numbers: readonly RegExp[];
  /** The locale's names of the currency, in lower case. */
  readonly names: ReadonlySet<string>;
}

/** Fraction digits beyond the currency's own are shown if a value has them: nothing stored is hidden. */
const mostDigits = 20;
const writers = new Map<string, Writer | undefined>();

function makeWriter({
  currency_locale: locale,
  currency_code: currency,
}: CurrencyOptions): Writer | undefined {
  try {
    const shortest = new Intl.NumberFormat(locale, { style: 'currency', currency }).resolvedOptions();
    const minimumFractionDigits = shortest.minimumFractionDigits ?? 0;
    const shape = {
      style: 'currency',
      currency,
      minimumFractionDigits,
      maximumFractionDigits: mostDigits,
    } as const;
    const format = new Intl.NumberFormat(locale, shape);
    const latin = new Intl.NumberFormat(locale, { ...shape, numberingSystem: 'latn' });
    return {
      format,
      numbers: [numberOf(format), numberOf(latin)],
      names: namesOf(locale, currency),
    };
  } catch {
    return undefined;
  }
}

/** A pattern for the numbers of this format, without sign and currency, after `unify`. */
function numberOf(format: Intl.NumberFormat): RegExp {
  const parts = format.formatToParts(1234567.5);
  const sign = (type: string) => parts.find((part) => part.type === type)?.value;
  const groups = parts.filter(({ type }) => type === 'integer');
  return numberPattern(
    unify(sign('group') ?? ','),
    sign('decimal') ?? '.',
    groups.at(-2)?.value.length === 2,
  );
}

/**
 * Whole digits with or without groups of three (in India also of two before the last three), and a fraction. A number that begins
 * with zero has no groups: `0.125` is never a hundred and twenty-five.
 */
function numberPattern(group: string, point: string, hasPairs: boolean): RegExp {
  const [between, before] = [`[${escaped(group)} ']`, escaped(point)];
  const threes = String.raw`[1-9]\d{0,2}(?<first>${between})\d{3}(?:\k<first>\d{3})*`;
  const pairs = String.raw`[1-9]\d?(?<pair>${between})(?:\d{2}\k<pair>)*\d{3}`;
  const wholes = [threes, ...(hasPairs ? [pairs] : []), String.raw`\d*`].join('|');
  return new RegExp(String.raw`^(?<whole>${wholes})(?:${before}(?<fraction>\d+))?$`);
}

const escaped = (sign: string) => sign.replace(/[\\\]^.*+?$|(){}[-]/g, String.raw`\$&`);

function namesOf(locale: string, currency: string): ReadonlySet<string> {
  const names = new Set([currency.toLowerCase()]);
  for (const currencyDisplay of ['symbol', 'narrowSymbol', 'name'] as const) {
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay });
    // A language has up to six plural forms of the name.
    for (const value of [0, 1, 2, 5, 20, 1.5]) {
      const name = format.formatToParts(value).find(({ type }) => type === 'currency');
      if (name !== undefined) names.add(unify(name.value).toLowerCase());
    }
  }
  return names;
}

/** Cached: creating one takes longer than formatting a page of cells, and the columns of a server use few of them. */
function writerOf(options: CurrencyOptions): Writer | undefined {
  const key = `${options.currency_locale} ${options.currency_code}`;
  if (!writers.has(key)) {
    if (writers.size > 200) writers.clear();
    writers.set(key, makeWriter(options));
  }
  return writers.get(key);
}

/** An amount in the locale's format; the plain number if locale or currency are unknown. */
export function writeMoney(value: number | string, options: CurrencyOptions): string {
  const writer = writerOf(options);
  // A text of digits is formatted digit by digit; a number would lose those that a double does not hold.
  return writer === undefined ? String(value) : writer.format.format(value as number);
}

/**
 * The number format for spreadsheets: with the currency's sign at the locale's position, and the separators of the reader's system.
 */
export function sheetMoney(options: CurrencyOptions): string {
  const parts = writerOf(options)?.format.formatToParts(1234) ?? [];
  const isNumber = ({ type }: Intl.NumberFormatPart) => /^(?:integer|group|decimal|fraction)$/.test(type);
  const from = parts.findIndex(isNumber);
  const quoted = (some: readonly Intl.NumberFormatPart[]): string => {
    const text = some.map(({ value }) => value.replace(/"/g, '')).join('');
    return text === '' ? '' : `"${text}"`;
  };
  const digits = parts.find(({ type }) => type === 'fraction')?.value.length ?? 0;
  const number = `#,##0${digits === 0 ? '' : `.${'0'.repeat(digits)}`}`;
  if (from < 0) return number;
  return quoted(parts.slice(0, from)) + number + quoted(parts.slice(parts.findLastIndex(isNumber) + 1));
}

const plainNumber = /^[+-]?(?:\d{1,60}(?:\.\d{0,60})?|\.\d{1,60})(?:[eE][+-]?\d{1,4})?$/;
const anyNumber = numberPattern(',', '.', false);
const codes = new Set(Intl.supportedValuesOf('currency'));
const refused: ParseResult<number | string> = { ok: false, message: 'must be an amount such as 1234.50' };
/** Longer texts are refused before any pattern is tried. */
const longestText = 200;

/**
 * Parses a typed or pasted amount: a number in the column's locale, or else in any other format, with or without sign, accounting
 * brackets and currency. A bare number with a point is parsed as programs send it. Anything else is refused.
 */
export function readMoney(input: unknown, options: CurrencyOptions): ParseResult<number | string> {
  if (typeof input !== 'string') return parseDecimal(input);
  if (input.length > longestText) return refused;
  const text = unify(input);
  if (text === '' || plainNumber.test(text)) return parseDecimal(text);
  const writer = writerOf(options);
  const first = text.search(/\d/);
  if (first < 0) return refused;
  const end = text.search(/\D*$/);
  // `Cg.5` is five guilders; the point begins a fraction only if no currency ends with it.
  for (const start of [first, first - 1]) {
    const sign = signOf(text.slice(0, Math.max(0, start)), text.slice(end), writer);
    const plain = sign === undefined ? undefined : plainNumberOf(text.slice(Math.max(0, start), end), writer);
    if (plain === undefined) continue;
    const read = parseDecimal(`${sign}${plain}`);
    return read.ok ? read : refused;
  }
  return refused;
}

/** The number with a point and without groups; undefined for anything else. The column's locale decides ambiguous ones. */
function plainNumberOf(text: string, writer: Writer | undefined): string | undefined {
  for (const pattern of writer?.numbers ?? [anyNumber]) {
    const { whole, fraction } = pattern.exec(text)?.groups ?? {};
    if (whole === undefined) continue;
    return `${whole.replace(/\D/g, '') || '0'}${fraction === undefined ? '' : `.${fraction}`}`;
  }
  // In another country's format: parsed like numbers of all columns.
  const read = /^[\d.]/.test(text) ? parseDecimal(text) : undefined;
  return read?.ok === true ? String(read.value) : undefined;
}

/** The sign of a number with these texts before and after it; undefined if they contain anything but sign and currency. */
function signOf(before: string, after: string, writer: Writer | undefined): string | undefined {
  const [mark, name] = peel(before, '-+(');
  const [close, nameBehind] = peel(after, ')');
  if ((mark === '(') !== (close === ')')) return undefined;
  if (!isCurrency(name, writer) || !isCurrency(nameBehind, writer)) return undefined;
  return mark === '(' || mark === '-' ? '-' : '';
}

/** Removes one of the marks from the beginning or the end of a text. */
function peel(side: string, marks: string): readonly [mark: string, rest: string] {
  const text = side.trim();
  const [first = '', last = ''] = [text.at(0), text.at(-1)];
  if (first !== '' && marks.includes(first)) return [first, text.slice(1).trim()];
  if (last !== '' && marks.includes(last)) return [last, text.slice(0, -1).trim()];
  return ['', text];
}

/** Nothing, the locale's name of the currency, the code of any currency or its symbol, with its country as in `US$`. */
function isCurrency(name: string, writer: Writer | undefined): boolean {
  return (
    name === '' ||
    codes.has(name) ||
    /^[A-Z]{0,2}\p{Sc}[A-Z]{0,2}$/u.test(name) ||
    writer?.names.has(name.toLowerCase()) === true
  );
}

/** Unifies the digits of all scripts, minus signs, spaces and apostrophes, and removes marks of direction. */
export function unify(text: string): string {
  return text
    .replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[\u2010-\u2013\u2212\uFE63\uFF0D]/g, '-')
    .replace(/[\u2019\u02BC\uFF07]/g, "'")
    .replace(/\s/g, ' ')
    .trim();
}

/** Digits are encoded in runs from zero to nine; the runs of two scripts may be adjacent. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}
