import {
  dateFormats,
  defaultTimeOptions,
  durationFormats,
  readTime,
  timeFormats,
  writeDate,
  writeDuration,
  writeTime,
} from '#plugins/columns-basic/shared';
import type { SettingsSchema } from '@trellis/sdk/shared';
import type { Kind } from './typed.ts';
import { momentOf } from './values.ts';

/** The number format of a formula. */
export type NumberFormat = 'plain' | 'decimal' | 'currency' | 'percent' | 'duration';

/** The text format of a formula: unchanged, or with times of the day formatted. */
export type TextFormat = 'plain' | 'time';

/** Which part of a moment is shown. */
export type MomentPart = 'all' | 'time';

/** The stored options of a formula column. */
export type FormulaOptions = {
  /** With the ids of columns: `CONCAT({{cl_a}}, "-")`. */
  readonly formula: string;
  /** The kind of its values when it was saved. */
  readonly result: Kind;
  /** The former titles of deleted columns that it names, by id. */
  readonly gone: Readonly<Record<string, string>>;
  readonly number_format: NumberFormat;
  /** Digits after the point, if the format is not `plain`. */
  readonly decimals: number;
  readonly currency_code: string;
  /** As in `de-DE`. */
  readonly currency_locale: string;
  /** See `isWrittenAsPage`. */
  readonly currency_format?: 'page' | 'locale';
  readonly date_format: string;
  readonly time_format: string;
  readonly moment_part: MomentPart;
  readonly text_format: TextFormat;
  /** The index in `durationFormats`. */
  readonly duration: number;
};

export const defaultFormulaOptions: FormulaOptions = {
  formula: '',
  result: 'any',
  gone: {},
  number_format: 'plain',
  decimals: 2,
  currency_code: 'USD',
  currency_locale: 'en-US',
  date_format: 'YYYY-MM-DD',
  ...defaultTimeOptions,
  moment_part: 'all',
  text_format: 'plain',
  duration: 0,
};

export const numberFormats: readonly NumberFormat[] = ['plain', 'decimal', 'currency', 'percent', 'duration'];

export const formulaSchema: SettingsSchema = {
  type: 'object',
  properties: {
    formula: { type: 'string', title: 'Formula', maxLength: 30_000, default: '' },
    result: { enum: ['number', 'text', 'date', 'datetime', 'boolean', 'nothing', 'any'], default: 'any' },
    gone: { type: 'object', default: {} },
    number_format: { enum: [...numberFormats], title: 'Numbers as', default: 'plain' },
    decimals: { type: 'integer', title: 'Decimals', minimum: 0, maximum: 10, default: 2 },
    currency_code: { type: 'string', title: 'Currency', pattern: '^[A-Z]{3}$', default: 'USD' },
    currency_locale: {
      type: 'string',
      title: 'Written as in',
      pattern: '^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8}){0,3}$',
      default: 'en-US',
    },
    currency_format: { enum: ['page', 'locale'], title: 'Written as' },
    date_format: { enum: [...dateFormats], title: 'Date format', default: 'YYYY-MM-DD' },
    time_format: { enum: [...timeFormats], title: 'Time format', default: defaultTimeOptions.time_format },
    moment_part: { enum: ['all', 'time'], title: 'Shown of it', default: 'all' },
    text_format: { enum: ['plain', 'time'], title: 'Texts as', default: 'plain' },
    duration: {
      type: 'integer',
      enum: durationFormats.map((_, index) => index),
      title: 'Format of durations',
      default: 0,
    },
  },
};

type NumberOptions = Pick<
  FormulaOptions,
  'number_format' | 'decimals' | 'currency_code' | 'currency_locale' | 'duration'
>;

const writers = new Map<string, Intl.NumberFormat | undefined>();

/** Cached: creating one takes longer than formatting a page of cells, and the columns of a server use few of them. */
function writerOf(options: NumberOptions, language: string | undefined): Intl.NumberFormat | undefined {
  const key = JSON.stringify([
    language,
    options.number_format,
    options.decimals,
    options.currency_code,
    options.currency_locale,
  ]);
  if (!writers.has(key)) {
    if (writers.size > 200) writers.clear();
    writers.set(key, makeWriter(options, language));
  }
  return writers.get(key);
}

function makeWriter(
  { number_format: format, decimals, currency_code: currency, currency_locale: locale }: NumberOptions,
  language: string | undefined,
): Intl.NumberFormat | undefined {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  try {
    return format === 'currency'
      ? new Intl.NumberFormat(locale, { ...digits, style: 'currency', currency })
      : new Intl.NumberFormat(language, { ...digits, useGrouping: format === 'decimal' });
  } catch {
    return undefined;
  }
}

/** A number in its column's format; for `percent`, 12 means 12 %, as in percent columns. */
export function writeNumber(
  value: number | string,
  options: NumberOptions,
  language: string | undefined = 'en-US',
  withSign: (number: string) => string = (number) => `${number}%`,
): string {
  if (options.number_format === 'plain') return String(value);
  if (options.number_format === 'duration') return writeDuration(value, options.duration);
  // A text of digits is formatted digit by digit; a number would lose those that a double does not hold.
  const text = writerOf(options, language)?.format(value as number) ?? String(value);
  return options.number_format === 'percent' ? withSign(text) : text;
}

/** A day or moment in its column's format; any other text unchanged. */
export function writeMoment(
  text: string,
  { date_format: format, ...of }: Pick<FormulaOptions, 'date_format' | 'time_format' | 'moment_part'>,
): string {
  const moment = momentOf(text);
  if (moment === undefined) return text;
  const [day = '', time = ''] = moment.text.split(' ');
  if (time === '') return writeDate(day, format);
  const written = writeTime(time, of.time_format);
  return of.moment_part === 'time' ? written : `${writeDate(day, format)} ${written}`;
}

/** A text in its column's format; unchanged if it is no time of the day. */
export function writeText(
  text: string,
  { text_format: format, time_format: time }: Pick<FormulaOptions, 'text_format' | 'time_format'>,
): string {
  const read = format === 'time' ? readTime(text) : undefined;
  return read === undefined ? text : writeTime(read, time);
}

const link = /^URI::\(([^]*)\)$/;

/** The address in a value of `URL`; undefined for any other value. */
export function addressOf(value: unknown): string | undefined {
  return typeof value === 'string' ? link.exec(value)?.[1] : undefined;
}
