import { joined, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import type { SqlType } from '../functions/default.ts';

export type Rounding = 'half' | 'up' | 'down' | 'ceiling' | 'floor';

export type DoubleFunction =
  'sqrt' | 'exp' | 'power' | 'ln' | 'log10' | 'sin' | 'cos' | 'tan' | 'asin' | 'acos' | 'atan' | 'atan2';

/** The SQL of arithmetic. An impossible result is null on every database, and never an error. */
export interface NumberSql {
  /** A function of doubles. */
  double(name: DoubleFunction, values: readonly SqlFragment[]): SqlFragment;
  /** The natural logarithm of a double's absolute value; null for zero. */
  logarithm(value: SqlFragment): SqlFragment;
  /**
   * Rounds to a decimal with `places` digits after the point, 15 at most. A double counts as the decimal of its first 15 digits.
   * `half` rounds away from zero.
   */
  round(type: SqlType, value: SqlFragment, places: SqlFragment, rounding: Rounding): SqlFragment;
  absolute(type: SqlType, value: SqlFragment): SqlFragment;
  /** The whole part, as a whole number; null from 10^15 on. */
  whole(type: SqlType, value: SqlFragment): SqlFragment;
  /** The number that a text such as ` -12.5` holds, as a decimal; null for any other text. */
  parse(value: SqlFragment): SqlFragment;
  /** The least or greatest of several values of one type; null when one of them is null. */
  extreme(which: 'least' | 'greatest', type: SqlType, values: readonly SqlFragment[]): SqlFragment;
  /**
   * The middle value of several of one type; for an even number the mean of the two middle ones, as a double. Null when one of
   * them is null.
   */
  median(type: SqlType, values: readonly SqlFragment[]): SqlFragment;
}

/** The positions of the middle values among `count` sorted ones, from 1; the same one twice for an odd number. */
export function middlePlaces(count: number): readonly [low: number, high: number] {
  return [Math.ceil(count / 2), Math.floor(count / 2) + 1];
}

/**
 * A sub-select over the middle values that contains each value once. SQL that repeats its arguments grows exponentially when
 * calls are nested.
 *
 * @param found an aggregate of `ranked.item`, the column of the one or two middle values
 */
export function fromMiddle(values: readonly SqlFragment[], found: SqlFragment): SqlFragment {
  const [low, high] = middlePlaces(values.length);
  const each = joined(
    values.map((value) => sql`select ${value} as item`),
    ' union all ',
  );
  const numbered = sql`select given.item, row_number() over (order by given.item) as place, count(given.item) over () as filled from (${each}) as given`;
  return sql`(select ${found} from (${numbered}) as ranked where ranked.filled = ${text(`${values.length}`)} and ranked.place between ${text(`${low}`)} and ${text(`${high}`)})`;
}

/** The value if the condition holds, else null, so that a function never gets an argument that it refuses. */
const where = (condition: SqlFragment, value: SqlFragment): SqlFragment =>
  sql`case when ${condition} then ${value} end`;

/** Replaces arguments for which the function has no value by null. @param ln the database's name of the natural logarithm */
function guarded(
  ln: string,
  name: DoubleFunction,
  [value = text('null'), other = text('null')]: readonly SqlFragment[],
) {
  switch (name) {
    case 'sqrt':
      return [where(sql`${value} >= 0`, value)];
    case 'ln':
    case 'log10':
      return [where(sql`${value} > 0`, value)];
    case 'exp':
      return [where(sql`${value} between -700 and 700`, value)];
    case 'asin':
    case 'acos':
      return [where(sql`${value} between -1 and 1`, value)];
    case 'sin':
    case 'cos':
    case 'tan':
      return [where(sql`${value} between -1000000 and 1000000`, value)];
    case 'atan':
      return [value];
    case 'atan2':
      return [value, where(sql`${value} <> 0 or ${other} <> 0`, other)];
    case 'power': {
      const isSmall = sql`abs(${other} * ${text(ln)}(abs(nullif(${value}, 0)))) <= 700`;
      const base = sql`case when ${value} = 0 then ${where(sql`${other} >= 0`, value)} when ${value} > 0 or ${other} = floor(${other}) then ${where(isSmall, value)} end`;
      return [base, other];
    }
  }
}

/** The functions of doubles. @param ln the database's name of the natural logarithm */
export function doubles(ln: 'ln' | 'log'): Pick<NumberSql, 'double' | 'logarithm'> {
  return {
    logarithm: (value) => sql`${text(ln)}(abs(nullif(${value}, 0)))`,
    double: (name, values) =>
      sql`${text(name === 'ln' ? ln : name)}(${joined(guarded(ln, name, values), ', ')})`,
  };
}

export const defaultNumbers = doubles('ln');

/** The number of places if rounding supports it, else null. */
export const somePlaces = (places: SqlFragment): SqlFragment =>
  where(sql`${places} between -15 and 15`, places);

/** The pattern of numbers that `NumberSql.parse` reads. */
export const numberPattern = '^ *[+-]?[0-9]{1,15}([.][0-9]{1,15})? *$';
