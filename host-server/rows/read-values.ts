import type { ServerColumnType } from '@trellis/sdk/server';
import {
  failedValidator,
  isFilled,
  type CellValue,
  type ColumnContext,
  type ColumnValidator,
  type ParseResult,
} from '@trellis/sdk/shared';
import { isValueError } from '../dialects/types/value-errors.ts';
import { problemParams, type ProblemParams } from '../query/problem-params.ts';
import { GivenValues } from './given-values.ts';
import { rowErrors } from './row-errors.ts';
import type { ColumnCodec, TablePlan, Values } from './table-plan.ts';

/**
 * The most that is written to a cell. A page of larger ones would not fit into an answer, and whoever sorts or groups by them
 * takes memory from everybody. Larger cells that other programs wrote can be read.
 */
const mostCharacters = 1_000_000;

export interface ReadValuesOptions {
  /** Which columns the caller may write; absent where the values only name rows. */
  readonly writable?: 'all' | ReadonlySet<string>;
  /**
   * The columns of which the caller knows: a value for one of them that may not be written is refused, and one for any other column is
   * dropped, as for a column that was never made. Absent where nothing is refused.
   */
  readonly readable?: 'all' | ReadonlySet<string>;
}

/**
 * Reads what a client sent for one row: keys are titles or column names, others are dropped; each value by its column type.
 *
 * @throws TrellisError 400 naming the column and the rule, 403 for a column that may only be read, 409 for a column whose type is switched off.
 * @param rowNumber the row's number in a bulk call, from 1, for messages
 */
export function readValues(
  plan: TablePlan,
  input: Readonly<Record<string, unknown>>,
  options: ReadValuesOptions,
  rowNumber?: number,
): Values {
  const values = new GivenValues(plan);
  for (const key of Object.keys(input)) {
    const of = plan.byName.get(key);
    const given = input[key];
    if (of === undefined || given === undefined || of.column.generated) continue;
    if (options.writable !== undefined && !isWritable(of, options.writable)) {
      if (isRefused(of, options)) throw rowErrors.create('COLUMN_READ_ONLY', { column: of.column.title });
      continue;
    }
    // The title wins where a client sends a value under both names.
    if (values.has(of) && key !== of.column.title) continue;
    values.give(of, readValue(of, given, rowNumber));
  }
  return values;
}

/** What the server sets itself is nobody's to write; clients send whole rows back. */
function isWritable({ column, type }: ColumnCodec, writable: 'all' | ReadonlySet<string>): boolean {
  if (type !== undefined && isFilled(type)) return false;
  return writable === 'all' || writable.has(column.id);
}

/** The key goes with a row to name it, and what the server sets itself comes back with whole rows. */
function isRefused({ column, type }: ColumnCodec, { readable }: ReadValuesOptions): boolean {
  if (column.primaryKey || readable === undefined || (type !== undefined && isFilled(type))) return false;
  return readable === 'all' || readable.has(column.id);
}

/** Written once: grouping digits takes longer than reading a value. */
const tooLong: ProblemParams = {
  problem: `must have at most ${mostCharacters.toLocaleString('en')} characters`,
  problemCode: 'VALUE_TOO_LONG',
  most: mostCharacters,
};

/** Whether a value is more than is written to a cell. */
export const isTooLong = (value: unknown): boolean => charactersOf(value) > mostCharacters;

function readValue(of: ColumnCodec, given: unknown, rowNumber: number | undefined): CellValue {
  const { column, type } = of;
  if (type === undefined)
    throw rowErrors.create('COLUMN_TYPE_DISABLED', { column: column.title, type: column.type });
  if (typeof given === 'string' && isTooLong(given)) throw refused(of, tooLong, rowNumber);
  const answer = examinedBy(of, type, given);
  if ('validator' in answer) throw invalid(of, answer.validator, rowNumber);
  if ('isTooLong' in answer) throw refused(of, tooLong, rowNumber);
  if (!answer.ok) throw refused(of, problemParams(answer), rowNumber);
  const { value } = answer;
  try {
    of.encode(value);
  } catch (error) {
    if (isValueError(error)) throw refused(of, problemParams(error), rowNumber);
    const problem = error instanceof Error ? lowerFirst(error.message) : 'cannot be stored';
    throw refused(of, { problem }, rowNumber);
  }
  return value;
}

type Examination =
  ParseResult<CellValue> | { readonly validator: ColumnValidator } | { readonly isTooLong: true };

/** What the type's validators throw is its plugin's error as well. A bulk write has many thousand cells, so no function is made for each. */
function examinedBy(of: ColumnCodec, type: ServerColumnType, given: unknown): Examination {
  try {
    return examined(type, given, of.context);
  } catch (error) {
    throw of.failure(error);
  }
}

/** What the type of a column says to what somebody sent: the value, why it is none, or which validator it does not pass. */
function examined(type: ServerColumnType, given: unknown, context: ColumnContext): Examination {
  const parsed = type.parse(given, context);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  if (isTooLong(value)) return { isTooLong: true };
  if (value === null) return parsed;
  const validator = failedValidator(type, value, context);
  if (validator !== undefined) return { validator };
  const problem = type.validate?.(value, context);
  return problem === undefined ? parsed : { ok: false, ...problem };
}

function refused({ column: { title } }: ColumnCodec, problem: ProblemParams, row: number | undefined) {
  const params = { ...problem, column: title };
  return row === undefined
    ? rowErrors.create('VALUE_REFUSED', params)
    : rowErrors.create('VALUE_REFUSED_IN_ROW', { ...params, row });
}

function invalid(
  { column: { title } }: ColumnCodec,
  { id: validator, message }: ColumnValidator,
  row: number | undefined,
) {
  const params = { column: title, validator, ...(message !== undefined && { problem: message }) };
  return row === undefined
    ? rowErrors.create('VALUE_INVALID', params)
    : rowErrors.create('VALUE_INVALID_IN_ROW', { ...params, row });
}

/** How many characters a value takes; numbers and the like are small and are not counted. */
export function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 0;
}

function lowerFirst(text: string): string {
  return (text.charAt(0).toLowerCase() + text.slice(1)).replace(/\.$/, '');
}
