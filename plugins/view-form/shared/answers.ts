import {
  meetsFilters,
  NotDecided,
  readUtc,
  type CellValue,
  type FilterColumn,
  type FilterGround,
  type FilterOperator,
} from '@trellis/sdk/shared';
import type { FieldOptions } from './index.ts';
import { matchesPattern } from './patterns.ts';

/** A field of a form, in the form's order. */
export interface AnswerField extends FilterColumn {
  readonly columnId: string;
  /** What people know it by. */
  readonly label: string;
  /** Whether the column itself takes no row without a value. */
  readonly isNeeded: boolean;
  readonly options: FieldOptions;
}

/** What is wrong with the answer to a field. */
export interface AnswerProblem {
  readonly columnId: string;
  readonly kind: 'missing' | 'low' | 'high' | 'short' | 'long' | 'early' | 'late' | 'pattern' | 'invalid';
  readonly label: string;
  /** The limit that it does not keep; of days and moments see `limitValue`. */
  readonly limit?: number | string;
  /** The label of the column type whose validators it does not pass. */
  readonly type?: string;
  /** What such a validator says of what it refuses. */
  readonly said?: string;
  /** The form's own words. */
  readonly message?: string;
}

/** Which fields are asked, and what is wrong with the answers. */
export interface CheckedAnswers {
  /** The ids of the columns whose fields are asked; answers to the others count for nothing. */
  readonly asked: ReadonlySet<string>;
  readonly problems: readonly AnswerProblem[];
}

const numeric = new Set(['integer', 'bigint', 'decimal', 'float']);
const texts = new Set(['string', 'text']);
const dated = new Set(['date', 'datetime']);

/** The first or last day or moment of a field as a cell of its column. */
export function limitValue({ type, context }: FilterColumn, limit: string): CellValue {
  const read = type?.parse(limit, context);
  return read?.ok === true ? read.value : limit;
}

/**
 * Holds answers to the rules of their form: the page while somebody fills it in, and the server before a row is added. A field whose condition is
 * not met is not asked, needs no answer, and counts as empty in the conditions of the fields behind it.
 */
export function answerProblems(
  fields: readonly AnswerField[],
  operators: readonly FilterOperator[],
  answerOf: (field: AnswerField) => CellValue,
): CheckedAnswers {
  const columns = new Map(fields.map((field) => [field.columnId, field]));
  const asked = new Set<string>();
  const values = new Map<string, CellValue>();
  const problems: AnswerProblem[] = [];
  for (const field of fields) {
    const { columnId, options } = field;
    if (!isAsked(options, values, { columns, operators })) continue;
    asked.add(columnId);
    const value = answerOf(field);
    // A list without anything in it, as of links, is as empty as no answer.
    values.set(columnId, isEmptyAnswer(value) ? null : value);
    const problem = problemOf(field, value);
    if (problem !== undefined) problems.push({ ...problem, columnId, label: field.label });
  }
  return { asked, problems };
}

/** A condition that cannot be decided any more, since the column it asks of has changed, hides its field. */
function isAsked(
  { condition }: FieldOptions,
  values: ReadonlyMap<string, CellValue>,
  ground: FilterGround,
): boolean {
  try {
    return meetsFilters(values, condition, ground);
  } catch (error) {
    if (error instanceof RangeError || error instanceof NotDecided) return false;
    throw error;
  }
}

function isEmptyAnswer(value: CellValue): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function problemOf(
  { isNeeded, options, context, type }: AnswerField,
  value: CellValue,
): Pick<AnswerProblem, 'kind' | 'limit' | 'message' | 'type' | 'said'> | undefined {
  const { required, least, most, pattern, requiredMessage, leastMessage, mostMessage } = options;
  const isTick = context.storage === 'boolean';
  if (isEmptyAnswer(value) || (isTick && required && value === false))
    return required || isNeeded ? { kind: 'missing', ...own(requiredMessage) } : undefined;
  if (numeric.has(context.storage)) {
    const number = Number(value);
    if (least !== null && number < least) return { kind: 'low', limit: least, ...own(leastMessage) };
    if (most !== null && number > most) return { kind: 'high', limit: most, ...own(mostMessage) };
  }
  if (dated.has(context.storage) && typeof value === 'string') {
    const { earliest, latest } = options;
    const isBefore = (left: string, right: string) => (readUtc(left) ?? NaN) < (readUtc(right) ?? NaN);
    if (isBefore(value, earliest)) return { kind: 'early', limit: earliest, ...own(leastMessage) };
    if (isBefore(latest, value)) return { kind: 'late', limit: latest, ...own(mostMessage) };
  }
  if (texts.has(context.storage) && typeof value === 'string') {
    const { length } = Array.from(value);
    if (least !== null && length < least) return { kind: 'short', limit: least, ...own(leastMessage) };
    if (most !== null && length > most) return { kind: 'long', limit: most, ...own(mostMessage) };
    if (pattern !== '' && !matchesPattern(value, pattern))
      return { kind: 'pattern', ...own(options.patternMessage) };
  }
  // Whoever answers cannot be asked again: a form checks also where the column itself takes any text.
  const asksAll = (context.options as { readonly validate?: unknown }).validate === true;
  const asked = type?.validators?.filter(({ isNarrow }) => asksAll || isNarrow !== true) ?? [];
  const failed = asked.find((validator) => !validator.accepts(value));
  if (failed !== undefined)
    return {
      kind: 'invalid',
      type: type?.label ?? '',
      ...(failed.message !== undefined && { said: failed.message }),
    };
  return isOneOfList({ type, context }, value) ? undefined : { kind: 'invalid', type: type?.label ?? '' };
}

/** Whether a text is one of the column's options, or several of them where a cell may have several; true where it has none to choose of. */
function isOneOfList({ type, context }: Pick<AnswerField, 'type' | 'context'>, value: CellValue): boolean {
  const choices = type?.valuesInOrder?.(context.options);
  if (choices === undefined || typeof value !== 'string') return true;
  const chosen = type?.separator === undefined ? [value] : value.split(type.separator);
  return chosen.every((one) => choices.includes(one));
}

/** The form's own words, where it has any. */
function own(message: string): Pick<AnswerProblem, 'message'> {
  return message === '' ? {} : { message };
}
