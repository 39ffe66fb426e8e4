import type { ArithmeticOperator } from '@trellis/sdk/shared';
import { sql, text, type SqlFragment } from '../sql/fragment.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { DoubleFunction } from '../dialects/numbers/default.ts';
import type { TypedSql } from './result-types.ts';

/** The range of an expression's values, as powers of ten; zero is left aside. */
export interface Magnitude {
  readonly least: number;
  readonly most: number;
}

type Numbers = 'integer' | 'bigint' | 'decimal' | 'float';

/** The range of values that columns and functions of each kind can give. */
const ofKind: Readonly<Record<Numbers, Magnitude>> = {
  integer: { least: 0, most: 10 },
  bigint: { least: 0, most: 20 },
  decimal: { least: -30, most: 65 },
  float: { least: -324, most: 309 },
};

/** The power of ten beyond which a double may overflow. Some databases then fail the whole statement. */
const room = 307.9;
/** The limit for products and quotients of doubles, as the natural logarithm of their size; `EXP` and `POWER` have the same limit. */
const farthest = 700;
const ofGuarded = farthest / Math.LN10;
/** The largest double that may be added to another one. */
const mostAdded = 1e307;
/** The largest double that is summed over rows; no table has enough rows to overflow from there. */
const mostSummed = 1e290;
/** The largest double that is converted to a decimal; all databases have room for it. */
const mostDecimal = 1e34;

const bounded = (value: SqlFragment, most: number): SqlFragment =>
  sql`case when abs(${value}) <= ${text(String(most))} then ${value} end`;

export function magnitudeOf({ type, literal, magnitude }: Omit<TypedSql, 'sql'>): Magnitude {
  if (magnitude !== undefined) return magnitude;
  const size = typeof literal === 'boolean' || literal === undefined ? Number.NaN : Math.abs(Number(literal));
  if (size === 0) return { least: 0, most: 0 };
  if (Number.isFinite(size)) return { least: Math.log10(size), most: Math.log10(size) };
  return ofKind[type.kind as Numbers] ?? ofKind.float;
}

/** The range that covers all of these values. */
export function magnitudeOfAny(values: readonly Omit<TypedSql, 'sql'>[]): Magnitude {
  const all = values.map(magnitudeOf);
  return {
    least: Math.min(...all.map(({ least }) => least)),
    most: Math.max(...all.map(({ most }) => most)),
  };
}

function ofOperation(
  { operator, kind }: Omit<Operation, 'sides'>,
  left: Magnitude,
  right: Magnitude,
): Magnitude {
  switch (operator) {
    case 'multiply':
      return { least: left.least + right.least, most: left.most + right.most };
    case 'divide':
      return { least: left.least - right.most, most: left.most - right.least };
    case 'modulo':
      return { least: Math.min(left.least, right.least), most: right.most };
    case 'add':
    case 'subtract': {
      const [low, high] = [left.most, right.most].toSorted((a, b) => a - b) as [number, number];
      // The difference of doubles that are nearly equal is as small as their last digits.
      const least = Math.min(left.least, right.least) - (kind === 'float' ? 17 : 0);
      return { least, most: high + Math.log10(1 + 10 ** (low - high)) };
    }
  }
}

/** An operation, with the two numbers it is applied to. */
interface Operation {
  readonly operator: ArithmeticOperator;
  readonly kind: 'bigint' | 'decimal' | 'float';
  readonly sides: readonly [Magnitude, Magnitude];
}

/**
 * The SQL of an operation that gives null instead of a result that a double cannot hold, whatever the database would do.
 * Operations whose result always fits are not changed.
 */
export function operated(
  { functions, numbers }: Dialect,
  { sides: [left, right], ...operation }: Operation,
  [a, b]: readonly [SqlFragment, SqlFragment],
): { readonly sql: SqlFragment; readonly magnitude: Magnitude } {
  const { operator, kind } = operation;
  const of = ofOperation(operation, left, right);
  const plain = { sql: functions.arithmetic(kind, operator, a, b), magnitude: of };
  if (kind !== 'float') return plain;
  if (operator === 'multiply' || operator === 'divide') {
    if (of.most <= room && of.least >= -room) return plain;
    const sign = text(operator === 'multiply' ? '+' : '-');
    const size = sql`coalesce(${numbers.logarithm(a)} ${sign} ${numbers.logarithm(b)}, 0)`;
    return {
      sql: sql`(case when ${size} between -${text(`${farthest}`)} and ${text(`${farthest}`)} then ${plain.sql} end)`,
      magnitude: { least: -ofGuarded, most: ofGuarded },
    };
  }
  if (of.most <= room) return plain;
  const within = ({ least, most }: Magnitude) => ({ least, most: Math.min(most, Math.log10(mostAdded)) });
  return {
    sql: functions.arithmetic(kind, operator, addable(a, left), addable(b, right)),
    magnitude: ofOperation(operation, within(left), within(right)),
  };
}

function addable(value: SqlFragment, { most }: Magnitude): SqlFragment {
  return most <= Math.log10(mostAdded) ? value : sql`(${bounded(value, mostAdded)})`;
}

/** A double that is small enough to be added to another one, else null. */
export const asAddend = (value: TypedSql): SqlFragment => addable(value.sql, magnitudeOf(value));

/** A double that every database can convert to a decimal, else null. */
export function asDecimal(value: TypedSql): SqlFragment {
  return magnitudeOf(value).most < Math.log10(mostDecimal)
    ? value.sql
    : sql`(${bounded(value.sql, mostDecimal)})`;
}

/** A decimal as a double can hold it: null when it is too large, zero when it is too small. */
export function asDouble(value: TypedSql): SqlFragment {
  const { least, most } = magnitudeOf(value);
  if (most <= room && least >= -room) return value.sql;
  return sql`(case when abs(${value.sql}) < 1e-300 then 0 else ${bounded(value.sql, mostAdded)} end)`;
}

const angle: Magnitude = { least: ofKind.float.least, most: 1 };
const ofExponent: Magnitude = { least: -ofGuarded, most: ofGuarded };
const ofLogarithm: Magnitude = { least: -17, most: 3 };

/** The range of the results of functions on doubles. */
export const ofDoubles: Readonly<Record<DoubleFunction, Magnitude>> = {
  sqrt: { least: -163, most: 155 },
  exp: ofExponent,
  power: ofExponent,
  ln: ofLogarithm,
  log10: ofLogarithm,
  sin: angle,
  cos: angle,
  tan: { ...angle, most: 17 },
  asin: angle,
  acos: angle,
  atan: angle,
  atan2: angle,
};

/** An aggregate that adds up doubles of many rows; null where their sum might overflow. */
export function addedUp(value: TypedSql, make: (each: SqlFragment) => SqlFragment): SqlFragment {
  if (magnitudeOf(value).most <= Math.log10(mostSummed)) return make(value.sql);
  const added = make(bounded(value.sql, mostSummed));
  return sql`(case when max(abs(${value.sql})) <= ${text(String(mostSummed))} then ${added} end)`;
}
