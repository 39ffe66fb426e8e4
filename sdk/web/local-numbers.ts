import type { CellValue, ColumnContext, ParseResult } from '../shared/index.ts';
import { pageLanguage } from './ui/page-language.ts';

/**
 * How people write values of a column type in the language of the page, if that differs from `format` and `parse`. Copied, pasted,
 * saved and exported values use those, so that they mean the same everywhere.
 *
 * @public
 */
export interface LocalTexts<Value extends CellValue = CellValue, Options = Record<string, unknown>> {
  /** The text for cells, cards and aggregations. Called for each drawn cell, so it must be cheap. */
  show(this: void, value: Value | null, column: ColumnContext<Options>): string;
  /** The initial text of an editor, for which `read` returns the same value; absent if people do not edit the type. */
  edit?(this: void, value: Value | null, column: ColumnContext<Options>): string;
  /** Parses a typed text: an ambiguous one in the page's language, everything else like `parse`. */
  read?(this: void, text: string, column: ColumnContext<Options>): ParseResult<Value>;
}

/** The most digits that browsers format. A number with more is shown as stored, so that nothing of it is hidden. */
const mostDigits = 20;
/** Longer texts are numbers in no language. */
const longestText = 200;

interface Language {
  readonly grouped: Intl.NumberFormat;
  readonly bare: Intl.NumberFormat;
  /** The language's digits from zero to nine. */
  readonly digits: string;
  /** A number with its groups, or with the language's decimal sign. */
  readonly pattern: RegExp;
  /** The texts around a percentage. */
  readonly percent: readonly [before: string, after: string];
}

const languages = new Map<string, Language>();

/** Cached: creating one takes longer than formatting a page of cells. */
function languageOfPage(): Language {
  const tag = pageLanguage();
  const known = languages.get(tag ?? '');
  if (known !== undefined) return known;
  const grouped = new Intl.NumberFormat(tag, { maximumFractionDigits: mostDigits });
  const parts = grouped.formatToParts(1234567.5);
  const signOf = (type: string) => parts.find((part) => part.type === type)?.value;
  const share = new Intl.NumberFormat(tag, { style: 'percent' }).formatToParts(1);
  const at = share.findIndex(({ type }) => type === 'integer');
  const textOf = (side: typeof share) => side.map(({ value }) => value).join('');
  const made: Language = {
    grouped,
    bare: new Intl.NumberFormat(tag, { maximumFractionDigits: mostDigits, useGrouping: false }),
    digits: Array.from(new Intl.NumberFormat(tag, { useGrouping: false }).format(9_876_543_210))
      .reverse()
      .join(''),
    pattern: patternOf(spelled(signOf('group') ?? ','), spelled(signOf('decimal') ?? '.')),
    percent: [textOf(share.slice(0, at)), textOf(share.slice(at + 1))],
  };
  languages.set(tag ?? '', made);
  return made;
}

/**
 * Whole digits with or without groups (of three, in India also of two), and a fraction; a number that begins with zero has no
 * groups.
 */
function patternOf(group: string, point: string): RegExp {
  const between = escaped(group);
  const whole = String.raw`(?:[1-9]\d{0,2}(?:${between}\d{2,3})*${between}\d{3}|\d*)`;
  return new RegExp(String.raw`^([+-]?)(${whole})(?:${escaped(point)}(\d+))?$`);
}

const escaped = (sign: string) => sign.replace(/[\\\]^.*+?$|(){}[-]/g, String.raw`\$&`);

/** Unifies minus signs, spaces and apostrophes, and removes marks of direction. */
function spelled(text: string): string {
  return text
    .replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\u2010-\u2013\u2212\uFE63\uFF0D]/g, '-')
    .replace(/[\u2019\u02BC\uFF07]/g, "'")
    .replace(/\s/g, ' ');
}

/** A number in the format of the page's language; a text of digits is formatted digit by digit. @public */
export function showNumber(value: number | string | null): string {
  return written(value, languageOfPage().grouped);
}

/** The same without group separators, for editing. @public */
export function editNumber(value: number | string | null): string {
  return written(value, languageOfPage().bare);
}

/** A number of hundredths with its sign, such as `12,5 %`. @public */
export function showPercent(value: number | string | null): string {
  return value === null ? '' : withPercentSign(showNumber(value));
}

/** A formatted number with the percent sign at the position of the page's language. @public */
export function withPercentSign(number: string): string {
  const [before, after] = languageOfPage().percent;
  return `${before}${number}${after}`;
}

function written(value: number | string | null, format: Intl.NumberFormat): string {
  if (value === null) return '';
  // A value that is no number, such as one from another type, is shown unchanged.
  if (typeof value === 'string' && (value.trim() === '' || !Number.isFinite(Number(value)))) return value;
  return digitsOfFraction(String(value)) > mostDigits ? String(value) : format.format(value as number);
}

/** The number of digits after a number's point when it is written without an exponent. */
function digitsOfFraction(text: string): number {
  const [, fraction = '', exponent = '0'] = /^[^.e]*(?:\.(\d*))?(?:e(.*))?$/i.exec(text) ?? [];
  return fraction.length - Number(exponent);
}

/**
 * Converts a number typed in the page's language to the form of programs: `1.234,5` to `1234.5` in German. A text that is no number
 * of the language stays unchanged, for `parse`.
 *
 * @public
 */
export function plainNumber(text: string): string {
  if (text.length > longestText) return text;
  const { digits, pattern } = languageOfPage();
  const latin = spelled(text.trim()).replace(/\p{Nd}/gu, (digit) => {
    const at = digits.indexOf(digit);
    return at < 0 ? digit : String(at);
  });
  const [, sign = '', whole = '', fraction] = pattern.exec(latin) ?? [];
  if (whole === '' && fraction === undefined) return text;
  return `${sign}${whole.replace(/\D/g, '') || '0'}${fraction === undefined ? '' : `.${fraction}`}`;
}
