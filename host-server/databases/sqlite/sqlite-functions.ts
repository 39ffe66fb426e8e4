import { lowerCase, upperCase } from '@trellis/sdk/shared';
import type { Database } from 'better-sqlite3';
import { computeDecimal, decimalOperations } from './decimal-arithmetic.ts';
import {
  encodeUrl,
  formatDate,
  readDate,
  keptMoment,
  matchedPart,
  matches,
  monthsBetween,
  movedMoment,
  numberOf,
  numberText,
  proper,
  repeatText,
  replaceMatches,
  roundDecimal,
  splitPart,
} from './formula-functions.ts';
import { decimalKey, decimalOfKey, DecimalSum } from './decimal-key.ts';

type NumberFunction = (...numbers: number[]) => number;

const NUMBER_FUNCTIONS: readonly (readonly [name: string, call: NumberFunction])[] = [
  ['exp', Math.exp],
  ['sqrt', Math.sqrt],
  ['power', Math.pow],
  [
    'log',
    (base, value) =>
      value === undefined ? Math.log10(base ?? Number.NaN) : Math.log(value) / Math.log(base ?? Number.NaN),
  ],
];

/** Registers the functions that formulas, sorts and filters need and that SQLite may lack. */
export function registerFunctions(database: Database): void {
  const has = database.prepare('select 1 from pragma_function_list where name = ?').pluck();
  for (const [name, call] of NUMBER_FUNCTIONS) {
    if (has.get(name) === undefined) {
      database.function(name, { deterministic: true, varargs: true }, (...values: unknown[]) =>
        applyToNumbers(call, values),
      );
    }
  }
  database.function('trellis_lower', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? lowerCase(text) : text,
  );
  database.function('trellis_upper', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? upperCase(text) : text,
  );
  database.function('trellis_decimal_of_key', { deterministic: true }, (key: unknown) =>
    typeof key === 'string' ? decimalOfKey(key) : null,
  );
  database.function('trellis_decimal_key', { deterministic: true }, (value: unknown) =>
    value === null ? null : decimalKey(value),
  );
  for (const operation of decimalOperations) {
    database.function(
      `trellis_decimal_${operation}`,
      { deterministic: true },
      (left: unknown, right: unknown) => computeDecimal(operation, left, right),
    );
  }
  const pure = { deterministic: true };
  database.function('trellis_decimal_round', pure, roundDecimal);
  database.function('trellis_number_text', pure, numberText);
  database.function('trellis_number', pure, numberOf);
  database.function('trellis_repeat', pure, repeatText);
  database.function('trellis_split_part', pure, splitPart);
  database.function('trellis_encode_url', pure, encodeUrl);
  database.function('trellis_matches', pure, matches);
  database.function('trellis_matched_part', pure, matchedPart);
  database.function('trellis_replace_matches', pure, replaceMatches);
  database.function('trellis_proper', pure, proper);
  database.function('trellis_moment', pure, keptMoment);
  database.function('trellis_moved_moment', pure, movedMoment);
  database.function('trellis_months_between', pure, monthsBetween);
  database.function('trellis_date_format', pure, formatDate);
  database.function('trellis_date_read', pure, readDate);
  // When the caller is gone, its thread refuses the call, which ends the statement: see `StatementSql.endable`.
  database.function('trellis_goes_on', () => 1);
  // See `PointReader`: everywhere else rows may have any length.
  database.function('trellis_long_row', () => 1);
  database.aggregate('trellis_decimal_sum', {
    start: () => new DecimalSum(),
    step: (sum: DecimalSum, value: unknown) => {
      if (value !== null) sum.add(value);
      return sum;
    },
    result: (sum: DecimalSum) => sum.result(),
  });
}

/** Null for a null; also null if there is no finite result, as with SQLite's own functions. */
function applyToNumbers(call: NumberFunction, values: readonly unknown[]): number | null {
  if (values.some((value) => value === null)) return null;
  const result = call(...values.map(Number));
  return Number.isFinite(result) ? result : null;
}
