import { bound, joined, sql, text } from '../../sql/fragment.ts';
import type { SqlFragment } from '../../sql/fragment.ts';
import { SQLITE_DECIMAL } from '../types/sqlite.ts';
import { lowerCase, type StorageKind } from '@trellis/sdk/shared';
import { defaultFunctions, isText, plainArithmetic, type FunctionSql, type SqlType } from './default.ts';

/** Decimals are stored as text, so they compare by a key in the order of numbers. */
function keyOf(type: SqlType, value: SqlFragment): SqlFragment {
  return isExactDecimal(type) ? sql`trellis_decimal_key(${value})` : value;
}

function isExactDecimal({ kind, native }: SqlType): boolean {
  return kind === 'decimal' && (native === undefined || native.startsWith(SQLITE_DECIMAL));
}

/** The minimum or maximum by number, returned as the stored text. */
function extreme(name: 'min' | 'max', type: SqlType, value: SqlFragment): SqlFragment {
  if (!isExactDecimal(type)) return sql`${text(name)}(${value})`;
  const key = sql`${text(name)}(trellis_decimal_key(${value}))`;
  return sql`trellis_decimal_of_key(${key})`;
}

/** The most characters of an expression that is repeated in the SQL. */
const longestRepeated = 200;

/**
 * A text in lower case. SQLite itself folds ASCII texts, because calling JavaScript for each row takes twice as long as the rest
 * of a sort. A long expression is evaluated once, under a name.
 */
function folded(value: SqlFragment): SqlFragment {
  if (value.sql.length > longestRepeated || value.sql.includes('select '))
    return sql`trellis_lower(${value})`;
  return sql`case when length(${value}) = octet_length(${value}) then lower(${value}) else trellis_lower(${value}) end`;
}

function cast(from: SqlType, to: StorageKind, value: SqlFragment): SqlFragment {
  switch (to) {
    case 'string':
    case 'text':
      if (isText(from)) return value;
      if (from.kind === 'boolean') return sql`case ${value} when 1 then 'true' when 0 then 'false' end`;
      if (from.kind === 'decimal') return sql`trellis_decimal_of_key(trellis_decimal_key(${value}))`;
      if (from.kind === 'float') return sql`trellis_number_text(${value})`;
      return sql`cast(${value} as text)`;
    case 'decimal':
      return isExactDecimal(from) ? value : sql`cast(${value} as text)`;
    case 'float':
      return sql`cast(${value} as real)`;
    case 'datetime':
      return from.kind === 'date' ? sql`(${value} || ' 00:00:00')` : value;
    case 'date':
      return from.kind === 'datetime' ? sql`date(${value})` : value;
    default:
      return value;
  }
}

/**
 * Sums whole numbers in halves of 32 bits, without calling JavaScript for each row. The halves of two thousand million rows fit
 * into 64 bits, whereas `sum` itself fails when it overflows. In files of other programs there may be fractions among whole
 * numbers.
 */
function sumOfWhole(value: SqlFragment): SqlFragment {
  const high = sql`sum(${value} >> 32)`;
  const low = sql`sum(${value} & 4294967295)`;
  const highPart = sql`trellis_decimal_multiply(cast(${high} as text), '4294967296')`;
  return sql`case
    when max(typeof(${value})) > 'null' then cast(total(${value}) as text)
    when abs(${high}) < 1073741824 then cast(${high} * 4294967296 + ${low} as text)
    when count(${value}) > 0 then trellis_decimal_add(${highPart}, cast(${low} as text))
  end`;
}

/**
 * Letters whose case SQLite's own `like` does not fold: those beyond ASCII, and `i` and `k`, which are also the lower case of the
 * Turkish dotted I and of the Kelvin sign.
 */
const beyondLike = /[^\0-\x7f]|[ik]/i;

/**
 * Orders by number, empty cells first ascending. Up to 53 bits, whole numbers compare as floats without calling JavaScript for
 * each row; beyond that a key separates numbers with the same float.
 */
function orderedNumber(type: SqlType, value: SqlFragment): readonly SqlFragment[] {
  if (type.isWhole !== true || !isExactDecimal(type) || value.sql.length > longestRepeated)
    return [keyOf(type, value)];
  const float = sql`cast(${value} as real)`;
  return [float, sql`case when abs(${float}) >= 9007199254740992 then ${keyOf(type, value)} end`];
}

export const sqliteFunctions: FunctionSql = {
  ...defaultFunctions,
  boolean: (value) => text(value ? '1' : '0'),
  equals: (type, left, right) => sql`${keyOf(type, left)} = ${keyOf(type, right)}`,
  same: (type, left, right) => sql`${keyOf(type, left)} is ${keyOf(type, right)}`,
  compare: (type, comparison, left, right) =>
    sql`${keyOf(type, left)} ${text(comparison)} ${keyOf(type, right)}`,
  oneOf: (type, value, choices) =>
    choices.length === 0
      ? text('1 = 0')
      : sql`${keyOf(type, value)} in (${joined(
          choices.map((choice) => keyOf(type, choice)),
          ', ',
        )})`,
  orderBy: (type, value, direction) =>
    isText(type)
      ? [sql`${folded(value)} ${text(direction)}`, sql`${value} ${text(direction)}`]
      : orderedNumber(type, value).map((term) => sql`${term} ${text(direction)}`),
  groupKey: keyOf,
  letters: (value) => sql`(${value} collate binary)`,
  like: (value, pattern) =>
    beyondLike.test(pattern)
      ? sql`(${folded(value)}) like ${bound(lowerCase(pattern))} escape '!'`
      : sql`${value} like ${bound(pattern)} escape '!'`,
  lower: (value) => sql`trellis_lower(${value})`,
  upper: (value) => sql`trellis_upper(${value})`,
  sum: (type, value) => (isExactDecimal(type) ? sql`trellis_decimal_sum(${value})` : sql`sum(${value})`),
  sumOfWhole,
  average: (type, value) => (isExactDecimal(type) ? sql`avg(cast(${value} as real))` : sql`avg(${value})`),
  minimum: (type, value) => extreme('min', type, value),
  maximum: (type, value) => extreme('max', type, value),
  cast,
  arithmetic(kind, operator, left, right) {
    if (kind === 'decimal') return sql`trellis_decimal_${text(operator)}(${left}, ${right})`;
    // A float without a fraction may be bound as a whole number, and SQLite divides two whole numbers to a whole number.
    const dividend = operator === 'divide' ? sql`cast(${left} as real)` : left;
    return plainArithmetic(operator, dividend, right);
  },
};
