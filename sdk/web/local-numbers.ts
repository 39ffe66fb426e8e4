import type { CellValue, ColumnContext, ParseResult } from '../shared/index.ts';
import { pageLanguage } from './ui/page-language.ts';

/**
 * How people write values of a column type in the language of the page, where that differs from `format` and `parse`. What is copied,
 * pasted, saved and exported keeps to those, so that it means the same everywhere.
 *
 * @public
 */
export interface LocalTexts<Value extends CellValue = CellValue, Options = Record<string, unknown>> {
  /** What cells, cards and figures show. Called for each cell that is drawn, so it must be cheap. */
  show(this: void, value: Value | null, column: ColumnContext<Options>): string;
  /** What an editor begins with. `read` gives the same value for it; absent where people do not edit the type. */
  edit?(this: void, value: Value | null, column: ColumnContext<Options>): string;
  /** Reads what a person typed: what can be read in two ways is read as the language writes it, everything else as `parse` reads it. */
  read?(this: void, text: string, column: ColumnContext<Options>): ParseResult<Value>;
}

/** As many as browsers write. A number with more is written as it is stored: nothing of it is hidden. */
const mostDigits = 20;
/** Longer texts are numbers in no language. */
const longestText = 200;

interface Language {
  readonly grouped: Intl.NumberFormat;
  readonly bare: Intl.NumberFormat;
  /** Digits of the language, from nought to nine. */
  readonly digits: string;
  /** A number with its groups, or with the language's sign before its fraction. */
  readonly pattern: RegExp;
  /** What stands around a percentage. */
  readonly percent: readonly [before: string, after: string];
}

const languages = new Map<string, Language>();

/** Making one takes longer than a page of cells. */
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

/** Whole digits with or without groups (of three, in India also of two), and a fraction; one that begins with nought has no groups. */
function patternOf(group: string, point: string): RegExp {
  const between = escaped(group);
  const whole = String.raw`(?:[1-9]\d{0,2}(?:${between}\d{2,3})*${between}\d{3}|\d*)`;
  return new RegExp(String.raw`^([+-]?)(${whole})(?:${escaped(point)}(\d+))?$`);
}

const escaped = (sign: string) => sign.replace(/[\\\]^.*+?$|(){}[-]/g, String.raw`\$&`);

/** One spelling for minus signs, blanks and apostrophes, and no marks of direction. */
function spelled(text: string): string {
  return text
    .replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\u2010-\u2013\u2212\uFE63\uFF0D]/g, '-')
    .replace(/[\u2019\u02BC\uFF07]/g, "'")
    .replace(/\s/g, ' ');
}

/** A number as people of the page's language write it; a text of digits is written digit by digit. @public */
export function showNumber(value: number | string | null): string {
  return written(value, languageOfPage().grouped);
}

/** The same without signs between thousands, as a number is edited. @public */
export function editNumber(value: number | string | null): string {
  return written(value, languageOfPage().bare);
}

/** A number of hundredths with its sign, as in `12,5 %`. @public */
export function showPercent(value: number | string | null): string {
  return value === null ? '' : withPercentSign(showNumber(value));
}

/** A number that is written already, with the sign of hundredths where the language of the page has it. @public */
export function withPercentSign(number: string): string {
  const [before, after] = languageOfPage().percent;
  return `${before}${number}${after}`;
}

function written(value: number | string | null, format: Intl.NumberFormat): string {
  if (value === null) return '';
  // What is no number, such as what another type left in the column, stands as it is.
  if (typeof value === 'string' && (value.trim() === '' || !Number.isFinite(Number(value)))) return value;
  return digitsOfFraction(String(value)) > mostDigits ? String(value) : format.format(value as number);
}

/** How many digits a number has behind its point when it is written without an exponent. */
function digitsOfFraction(text: string): number {
  const [, fraction = '', exponent = '0'] = /^[^.e]*(?:\.(\d*))?(?:e(.*))?$/i.exec(text) ?? [];
  return fraction.length - Number(exponent);
}

/**
 * A number that was typed in the page's language, as programs write it: `1.234,5` as `1234.5` in German. A text that is no number of the
 * language stays as it is, for `parse` to read.
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
