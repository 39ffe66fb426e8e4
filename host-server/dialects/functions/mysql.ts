import { bound, joined, sql, text } from '../../sql/fragment.ts';
import type { SqlFragment } from '../../sql/fragment.ts';
import type { StorageKind } from '@trellis/sdk/shared';
import { fifteenDigits } from '../numbers/mysql.ts';
import type { Binding } from '../../sql/session.ts';
import { parseNativeType } from '../types/default.ts';
import { isBeyondSigned, isBits, isShape } from '../types/mysql.ts';
import { defaultFunctions, isText, plainArithmetic, type FunctionSql, type SqlType } from './default.ts';

/**
 * Compares by bytes in UTF-8, so that case and accents count as on other databases, whatever the column's collation and character
 * set are: an `é` has other bytes in latin1 than in a binding.
 */
function exact(type: SqlType, value: SqlFragment): SqlFragment {
  return isText(type) ? sql`cast(convert(${value} using utf8mb4) as binary)` : value;
}

/**
 * Upper or lower case. The usual collations know only the letters of 2003. Newer Unicode collations have different names on
 * MariaDB and MySQL; each reads only its own of these comments.
 */
export function cased(name: 'upper' | 'lower', value: SqlFragment): SqlFragment {
  const newer = text('/*M!101001 collate utf8mb4_uca1400_as_cs */ /*!80017 collate utf8mb4_0900_as_cs */');
  // Converted once more, because a text with an explicit collation cannot be combined with one of another collation.
  return sql`convert(${text(name)}(convert(${value} using utf8mb4) ${newer}) using utf8mb4)`;
}

/** Text with case folded and accents kept. */
function folded(value: SqlFragment): SqlFragment {
  return sql`${cased('lower', value)} collate utf8mb4_bin`;
}

/**
 * Text that compares by bytes, including trailing spaces. MariaDB and MySQL name that collation differently; each reads only its
 * own of these comments.
 */
function unpadded(value: SqlFragment): SqlFragment {
  return sql`convert(${value} using utf8mb4) collate /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */`;
}

/** Cuts the trailing zeros with which the database pads; the text must contain a point. */
function unpaddedDigits(value: SqlFragment): SqlFragment {
  return sql`trim(trailing '.' from trim(trailing '0' from cast(${value} as char character set utf8mb4)))`;
}

/** The digits of a decimal as wide as its column's type, which has no point when the scale is 0. */
function wideDigits({ native = '' }: SqlType, value: SqlFragment): SqlFragment {
  const [, scale = 0] = parseNativeType(native).arguments;
  return scale === 0 ? sql`cast(${value} as char character set utf8mb4)` : unpaddedDigits(value);
}

/**
 * Bits as a number: as text or cell they would be bytes, and as a float the first of 64 bits would be taken for a sign. Shapes as
 * well-known text.
 */
function readable({ native }: SqlType, value: SqlFragment): SqlFragment {
  if (native === undefined) return value;
  if (isBits(native)) return sql`(${value} + 0)`;
  return isShape(native) ? sql`st_astext(${value})` : value;
}

const casts: Readonly<Partial<Record<StorageKind, string>>> = {
  integer: 'signed',
  bigint: 'signed',
  decimal: 'decimal(65,30)',
  float: 'double',
  date: 'date',
  time: 'time(6)',
  datetime: 'datetime(6)',
};

/** The most digits before the point in `decimal(65,30)`. */
const mostWhole = 35;

/** The digits before the point that a column allows. */
function wholeDigits({ kind, native = '' }: SqlType): number {
  const [precision = 10, scale = 0] = parseNativeType(native).arguments;
  return kind === 'decimal' ? precision - scale : 0;
}

/** Whether a column allows more digits before the point than `decimal(65,30)`. */
function isWide(type: SqlType): boolean {
  return wholeDigits(type) > mostWhole;
}

/**
 * The decimal type with the greatest scale that leaves room for the digits before the point. For a wide column this depends on
 * the column and not on the value, so that statements with a key have one text for all keys.
 */
function decimalFor(type: SqlType, value: Binding): string {
  const [ofValue = ''] = /\d*(?=\.|$)/.exec(typeof value === 'string' ? value : '') ?? [];
  const whole = isWide(type) ? wholeDigits(type) : ofValue.length;
  return `decimal(65,${65 - Math.min(65, Math.max(mostWhole, whole))})`;
}

function castTo(from: SqlType, to: StorageKind): string | undefined {
  if (to === 'decimal' && isWide(from)) return undefined;
  const isWhole = to === 'integer' || to === 'bigint';
  return isWhole && isBeyondSigned(from.native ?? '') ? 'decimal(20,0)' : casts[to];
}

function cast(from: SqlType, to: StorageKind, given: SqlFragment): SqlFragment {
  const value = readable(from, given);
  if (to !== 'string' && to !== 'text') {
    const target = castTo(from, to);
    return target === undefined ? value : sql`cast(${value} as ${text(target)})`;
  }
  if (isText(from)) return sql`convert(${value} using utf8mb4)`;
  if (from.kind === 'boolean') return sql`case ${value} when 1 then 'true' when 0 then 'false' end`;
  if (from.kind === 'float') return unpaddedDigits(sql`cast(${fifteenDigits(value)} as decimal(65,30))`);
  if (isWide(from)) return wideDigits(from, value);
  if (from.kind === 'decimal') return unpaddedDigits(sql`cast(${value} as decimal(65,30))`);
  if (from.kind === 'datetime') return unpaddedDigits(sql`cast(${value} as datetime(6))`);
  if (from.kind === 'time') return unpaddedDigits(sql`cast(${value} as time(6))`);
  return sql`cast(${value} as char character set utf8mb4)`;
}

export const mysqlFunctions: FunctionSql = {
  ...defaultFunctions,
  value: (type, value) => {
    // A decimal bound as text compares as a double and loses its last digits.
    if (type.kind === 'decimal') return sql`cast(${bound(value)} as ${text(decimalFor(type, value))})`;
    if (type.kind === 'date') return sql`cast(${bound(value)} as date)`;
    if (type.kind === 'datetime') return sql`cast(${bound(value)} as datetime(6))`;
    if (type.kind === 'time') return sql`cast(${bound(value)} as time(6))`;
    return bound(value);
  },
  boolean: (value) => text(value ? '1' : '0'),
  shown: readable,
  // A text becomes a shape only by an explicit conversion.
  assigned: ({ native = '' }, value) =>
    isShape(native) ? sql`st_geomfromtext(${bound(value)})` : bound(value),
  placeholder: ({ native = '' }) => (isShape(native) ? 'st_geomfromtext(?)' : '?'),
  // Most collations equate a text of blanks with an empty one.
  isEmpty: (type, value) =>
    isText(type)
      ? sql`(${value} is null or (${value} = '' and octet_length(${value}) = 0))`
      : sql`${value} is null`,
  // The plain comparison can use an index; the one by bytes decides.
  equals: (type, left, right) =>
    isText(type)
      ? sql`(${left} = ${right} and ${exact(type, left)} = ${exact(type, right)})`
      : sql`${left} = ${right}`,
  same: (type, left, right) => sql`${exact(type, left)} <=> ${exact(type, right)}`,
  compare: (type, comparison, left, right) =>
    sql`${exact(type, left)} ${text(comparison)} ${exact(type, right)}`,
  oneOf: (type, value, choices) =>
    choices.length === 0
      ? text('1 = 0')
      : sql`${exact(type, value)} in (${joined(
          choices.map((choice) => exact(type, choice)),
          ', ',
        )})`,
  orderBy: (type, value, direction) =>
    isText(type)
      ? [sql`${folded(value)} ${text(direction)}`, sql`${exact(type, value)} ${text(direction)}`]
      : [sql`${value} ${text(direction)}`],
  groupKey: (type, value) => (isText(type) ? unpadded(value) : value),
  // In the columns' own collation, which usually ignores case.
  ofKeys: defaultFunctions,
  like: (value, pattern) => sql`${folded(value)} like ${folded(bound(pattern))} escape '!'`,
  asText: (type, value) => sql`cast(${readable(type, value)} as char)`,
  minimum: (type, value) => sql`min(${isText(type) ? unpadded(value) : value})`,
  maximum: (type, value) => sql`max(${isText(type) ? unpadded(value) : value})`,
  lower: (value) => cased('lower', value),
  upper: (value) => cased('upper', value),
  before: (value, mark) => sql`substring_index(${value}, ${bound(mark)}, 1)`,
  length: (value) => sql`char_length(${value})`,
  cast,
  arithmetic(kind, operator, left, right) {
    // `0.5` is exact here, and a quotient of exact numbers has only four digits more than the dividend.
    const exactly = kind === 'float' ? sql`(${left} + 0e0)` : left;
    // A result beyond 64 bits would fail the whole statement.
    const isWidened = kind === 'bigint' && operator !== 'modulo';
    const first = isWidened ? sql`cast(${left} as decimal(65,0))` : exactly;
    const result = plainArithmetic(operator, first, right);
    // On MariaDB `-1 % 0.5` is a negative zero, which no list that contains 0 contains.
    return operator === 'modulo' ? sql`(${result} + 0)` : result;
  },
};
