import { defineErrors, TrellisError } from '@trellis/core';

/**
 * The reasons why a column cannot hold a value, as ends of sentences that begin with the column's title. All are safe to show,
 * and a page translates them by their codes.
 */
const problems = defineErrors({
  VALUE_NOT_BOOLEAN: { status: 400, message: 'must be true or false' },
  VALUE_NOT_WHOLE: { status: 400, message: 'must be a whole number' },
  VALUE_NOT_FINITE: { status: 400, message: 'must be a finite number' },
  VALUE_NOT_DECIMAL: { status: 400, message: 'must be a decimal number' },
  VALUE_OUT_OF_RANGE: { status: 400, message: 'must be from {least} to {most}' },
  VALUE_NOT_EXACT: {
    status: 400,
    message: 'must be sent as text beyond 2^53, so that no digit is lost',
  },
  VALUE_DIGITS: { status: 400, message: 'has too many digits' },
  VALUE_DIGITS_BEFORE: { status: 400, message: 'must have at most {most} digits before the point' },
  VALUE_DIGITS_AFTER: { status: 400, message: 'must have at most {most} digits after the point' },
  VALUE_DIGITS_KEPT: {
    status: 400,
    message: 'keeps at most {most} digits; change its type to Decimal to keep more',
  },
  VALUE_NOT_TEXT: { status: 400, message: 'must be text' },
  VALUE_HAS_NUL: { status: 400, message: 'must not hold a NUL character, which databases cannot keep' },
  VALUE_HALF_CHARACTER: { status: 400, message: 'must not hold half of a character (a lone surrogate)' },
  VALUE_TOO_LONG: { status: 400, message: 'must have at most {most} characters' },
  VALUE_NOT_JSON: { status: 400, message: 'must be JSON' },
  VALUE_NOT_BYTES: { status: 400, message: 'must be bytes, written as base64' },
  VALUE_NOT_DATE: { status: 400, message: 'must be a date, such as 2024-05-31' },
  VALUE_NOT_TIME: { status: 400, message: 'must be a time, such as 14:30:00' },
  VALUE_NOT_MOMENT: { status: 400, message: 'must be a date and time, such as 2024-05-31 14:30:00' },
  VALUE_NO_SUCH_DAY: { status: 400, message: 'must be a day of the calendar, which {day} is not' },
  VALUE_TIME_RANGE: { status: 400, message: 'must have a time from 00:00:00 to 23:59:59' },
  VALUE_OFFSET_RANGE: { status: 400, message: 'must have an offset from UTC of -15:59 to +15:59' },
  VALUE_YEAR_RANGE: { status: 400, message: 'must be in a year from 1 to 9999' },
  VALUE_NOT_UNIQUE: { status: 400, message: 'must be unique: another row already has this value' },
  VALUE_BEYOND_COLUMN: { status: 400, message: 'has a value that is too large for the column' },
  VALUE_UNFIT: { status: 400, message: 'has a value that does not fit the type of the column' },
  VALUE_UNKEPT_TEXT: { status: 400, message: 'holds characters that the database cannot keep' },
  VALUE_AGAINST_RULE: { status: 400, message: 'has a value that a rule of the database refuses' },
  VALUE_OF_VIRTUAL: { status: 400, message: 'has no values in the database' },
});

/** Errors for types and sizes that a database does not have. */
export const typeErrors = defineErrors({
  NATIVE_TYPE_VIRTUAL: { status: 400, message: 'A virtual column has no type in the database' },
  NATIVE_TYPE_UNKNOWN: { status: 400, message: 'The database type must be one of: {types}' },
  NATIVE_LENGTH: { status: 400, message: 'The length must be a whole number from {least} to {most}' },
  NATIVE_PRECISION: { status: 400, message: 'The precision must be a whole number from {least} to {most}' },
  NATIVE_SCALE: { status: 400, message: 'The scale must be a whole number from {least} to {most}' },
});

/** Refuses a value that its column cannot hold. */
export const valueError = problems.create;

/** Whether an error says that a column cannot hold a value. Its message ends a sentence that begins with the column's title. */
export function isValueError(error: unknown): error is TrellisError {
  return error instanceof TrellisError && Object.hasOwn(problems.definitions, error.code);
}
