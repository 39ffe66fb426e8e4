import type { ArithmeticOperator } from '@trellis/sdk/shared';
import { sql, text, type SqlFragment } from '../sql/fragment.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { DoubleFunction } from '../dialects/numbers/default.ts';
import type { TypedSql } from './result-types.ts';

/** Powers of ten between which the values of an expression lie, but for zero. */
export interface Magnitude {
  readonly least: number;
  readonly most: number;
}

type Numbers = 'integer' | 'bigint' | 'decimal' | 'float';

/** What columns hold, and functions give. */
const ofKind: Readonly<Record<Numbers, Magnitude>> = {
  integer: { least: 0, most: 10 },
  bigint: { least: 0, most: 20 },
  decimal: { least: -30, most: 65 },
  float: { least: -324, most: 309 },
};

/** Beyond this a double may have no room, and some databases answer an error for the whole list. */
const room = 307.9;
/** What products and quotients of doubles may be, as the logarithm of their size: as far as those of `EXP` and `POWER`. */
const farthest = 700;
const ofGuarded = farthest / Math.LN10;
/** What doubles are added up to that may be too large. */
const mostAdded = 1e307;
/** What is added up of rows; so many rows as to be too much are in no table. */
const mostSummed = 1e290;
/** What is made a decimal: all databases have room for it. */
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

/** Of values of which any may stand there. */
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
      // Doubles that are nearly the same leave their last digits.
      const least = Math.min(left.least, right.least) - (kind === 'float' ? 17 : 0);
      return { least, most: high + Math.log10(1 + 10 ** (low - high)) };
    }
  }
}

/** An operation, and what two numbers come to in it. */
interface Operation {
  readonly operator: ArithmeticOperator;
  readonly kind: 'bigint' | 'decimal' | 'float';
  readonly sides: readonly [Magnitude, Magnitude];
}

/**
 * The SQL of an operation that is null where a double has no room for what comes out, however the database takes that. Operations whose
 * result has room in any case stay as they are.
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

/** A double that can be added to another one; null in place of others. */
export const asAddend = (value: TypedSql): SqlFragment => addable(value.sql, magnitudeOf(value));

/** A double that can be made a decimal on every database; null in place of others. */
export function asDecimal(value: TypedSql): SqlFragment {
  return magnitudeOf(value).most < Math.log10(mostDecimal)
    ? value.sql
    : sql`(${bounded(value.sql, mostDecimal)})`;
}

/** A decimal that a double has room for: null in place of larger ones, and zero of those that are next to nothing. */
export function asDouble(value: TypedSql): SqlFragment {
  const { least, most } = magnitudeOf(value);
  if (most <= room && least >= -room) return value.sql;
  return sql`(case when abs(${value.sql}) < 1e-300 then 0 else ${bounded(value.sql, mostAdded)} end)`;
}

const angle: Magnitude = { least: ofKind.float.least, most: 1 };
const ofExponent: Magnitude = { least: -ofGuarded, most: ofGuarded };
const ofLogarithm: Magnitude = { least: -17, most: 3 };

/** What functions of doubles give. */
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

/** What is made of the doubles of many rows by adding them up; null where their sum may have no room. */
export function addedUp(value: TypedSql, make: (each: SqlFragment) => SqlFragment): SqlFragment {
  if (magnitudeOf(value).most <= Math.log10(mostSummed)) return make(value.sql);
  const added = make(bounded(value.sql, mostSummed));
  return sql`(case when max(abs(${value.sql})) <= ${text(String(mostSummed))} then ${added} end)`;
}
