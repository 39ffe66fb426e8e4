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

/** How numbers of a formula are written. */
export type NumberFormat = 'plain' | 'decimal' | 'currency' | 'percent' | 'duration';

/** How texts of a formula are written: as they are, or those that are times of the day as such. */
export type TextFormat = 'plain' | 'time';

/** What is shown of a moment. */
export type MomentPart = 'all' | 'time';

/** What a formula column keeps. */
export type FormulaOptions = {
  /** With the ids of columns: `CONCAT({{cl_a}}, "-")`. */
  readonly formula: string;
  /** What its values were when it was saved. */
  readonly result: Kind;
  /** What columns were called that it names and that were deleted, by id. */
  readonly gone: Readonly<Record<string, string>>;
  readonly number_format: NumberFormat;
  /** Digits behind the point, where the format is not `plain`. */
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
  /** The place in `durationFormats`. */
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

/** Making one takes longer than a page of cells; columns of one server use few of them. */
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

/** A number as its column writes it; `percent` is of a hundred, as in columns of percentages. */
export function writeNumber(
  value: number | string,
  options: NumberOptions,
  language: string | undefined = 'en-US',
  withSign: (number: string) => string = (number) => `${number}%`,
): string {
  if (options.number_format === 'plain') return String(value);
  if (options.number_format === 'duration') return writeDuration(value, options.duration);
  // A text of digits is written digit by digit; a number would lose those that a double does not hold.
  const text = writerOf(options, language)?.format(value as number) ?? String(value);
  return options.number_format === 'percent' ? withSign(text) : text;
}

/** A day or moment as its column writes it; any other text as it stands. */
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

/** A text as its column writes it: one that is no time of the day as it stands. */
export function writeText(
  text: string,
  { text_format: format, time_format: time }: Pick<FormulaOptions, 'text_format' | 'time_format'>,
): string {
  const read = format === 'time' ? readTime(text) : undefined;
  return read === undefined ? text : writeTime(read, time);
}

const link = /^URI::\(([^]*)\)$/;

/** The address of a value of `URL`; undefined for any other value. */
export function addressOf(value: unknown): string | undefined {
  return typeof value === 'string' ? link.exec(value)?.[1] : undefined;
}
