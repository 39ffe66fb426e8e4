import type { StorageKind } from '@trellis/sdk/shared';
import { bound, joined, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import type { Binding } from '../../sql/session.ts';
import { fifteenDigits, widestDecimal } from '../numbers/mssql.ts';
import { binary, length, words } from '../texts/mssql.ts';
import { parseNativeType } from '../types/default.ts';
import { defaultFunctions, isText, type FunctionSql, type SqlType } from './default.ts';

/** Types that are read as text, and compare as text only after a conversion. */
const texts = /^(?:n?varchar|n?char|sysname)\b/;

function isPlainText({ native }: SqlType): boolean {
  return native === undefined || texts.test(native);
}

/** Whether the value may be in a foreign key, whose collation usually ignores case. */
function isKeyText(type: SqlType): boolean {
  return isText(type) && isPlainText(type);
}

/** Text that compares with case, accents and trailing blanks, which SQL Server ignores in some or all collations. */
function exact(type: SqlType, value: SqlFragment): SqlFragment {
  return isText(type) ? sql`(${binary(value)} + nchar(1))` : value;
}

/** The most texts that are looked up in an index: each is bound twice, and a statement has 2,098 bindings. */
const mostSought = 500;

/** Column types with a code page whose length an index allows. */
const ofCodePage = /^(?:var)?char(?:\(\d+\))?$/;

/**
 * A text in the column's code page. When a code page column is compared with Unicode, SQL Server converts every cell and cannot
 * use an index. Letters that the code page lacks are in no cell.
 */
function inLetters({ native = '' }: SqlType, value: SqlFragment): SqlFragment {
  return ofCodePage.test(native) ? sql`cast(${value} as varchar(8000))` : value;
}

/** As `inLetters`, for a value that may be a column with another collation. */
function sought(type: SqlType, value: SqlFragment): SqlFragment {
  return sql`${inLetters(type, value)} collate database_default`;
}

/** A key in the form of an index. A column at the other side of a foreign key has the same type already. */
function boundKey(type: SqlType, value: SqlFragment): SqlFragment {
  return value.bindings.length > 0 ? inLetters(type, value) : value;
}

/** Types that truncate values cast to them. */
const cutTypes = /^(?:n?(?:var)?char|(?:var)?binary|n?text|image|sysname)\b/;

/** Whether a moment is in the range of `datetime`, which counts in steps of 1/300 s: cells compare as equal only to values of this type. */
function isOfDatetime(value: Binding): boolean {
  return (
    typeof value === 'string' && value >= '1753' && /^\d{4}-/.test(value) && value < '9999-12-31 23:59:59'
  );
}

/** Text with case folded and accents kept. */
function folded(value: SqlFragment): SqlFragment {
  return sql`lower(${words(value)}) collate Latin1_General_100_BIN2`;
}

function comparable(type: SqlType, value: SqlFragment): SqlFragment {
  return type.kind === 'json' ? binary(value) : value;
}

const casts: Readonly<Partial<Record<StorageKind, string>>> = {
  boolean: 'bit',
  integer: 'bigint',
  bigint: 'bigint',
  decimal: widestDecimal,
  float: 'float',
  date: 'date',
  time: 'time(6)',
  datetime: 'datetime2(6)',
  binary: 'varbinary(max)',
};

/** The type to which a value is cast to be compared with cells. */
function castOf(type: SqlType): string {
  if (type.native === 'datetimeoffset') return type.native;
  const scale = wideScale(type);
  return scale === undefined ? (casts[type.kind] ?? 'nvarchar(max)') : `decimal(38,${scale})`;
}

/** The scale of a decimal with more digits before the point than the usual decimal has; undefined for others. */
function wideScale({ kind, native = '' }: SqlType): number | undefined {
  const { name, arguments: sizes } = parseNativeType(native);
  const [precision = 18, scale = 0] = sizes;
  const isDecimal = kind === 'decimal' && (name === 'decimal' || name === 'numeric');
  return isDecimal && precision - scale > 23 ? scale : undefined;
}

/** Cuts the trailing zeros with which the database pads; the text must contain a point. */
function unpaddedDigits(value: SqlFragment): SqlFragment {
  const digits = sql`select ${value} as digits`;
  const kept = sql`select left(written.digits, len(written.digits) - patindex('%[^0]%', reverse(written.digits)) + 1) as kept from (${digits}) as written`;
  return sql`(select case when trimmed.kept like '%.' then left(trimmed.kept, len(trimmed.kept) - 1) else trimmed.kept end from (${kept}) as trimmed)`;
}

function cast(from: SqlType, to: StorageKind, value: SqlFragment): SqlFragment {
  if (to !== 'string' && to !== 'text') {
    const target = casts[to];
    if (target === undefined || (to === 'decimal' && wideScale(from) !== undefined)) return value;
    const how = from.kind === 'float' && to === 'decimal' ? 'try_cast' : 'cast';
    return sql`${text(how)}(${value} as ${text(target)})`;
  }
  switch (from.kind) {
    case 'boolean':
      return sql`(case ${value} when 1 then N'true' when 0 then N'false' end)`;
    case 'float':
      return unpaddedDigits(
        sql`cast(try_cast(${fifteenDigits(value)} as ${text(widestDecimal)}) as nvarchar(41))`,
      );
    case 'decimal': {
      const scale = wideScale(from);
      if (scale === 0) return sql`cast(${value} as nvarchar(41))`;
      const exact = scale === undefined ? sql`cast(${value} as ${text(widestDecimal)})` : value;
      return unpaddedDigits(sql`cast(${exact} as nvarchar(41))`);
    }
    case 'date':
      return sql`convert(nvarchar(10), ${value}, 23)`;
    case 'datetime':
      return unpaddedDigits(sql`convert(nvarchar(26), cast(${value} as datetime2(6)), 121)`);
    case 'time':
      return unpaddedDigits(sql`cast(cast(${value} as time(6)) as nvarchar(15))`);
    default:
      return sql`cast(${value} as nvarchar(max))`;
  }
}

function extreme(name: 'min' | 'max', type: SqlType, value: SqlFragment): SqlFragment {
  if (type.kind === 'boolean') return sql`cast(${text(name)}(cast(${value} as tinyint)) as bit)`;
  return sql`${text(name)}(${isText(type) || type.kind === 'json' ? binary(value) : value})`;
}

/** Decimals with more digits than a double; the driver converts all of them to doubles. */
const moneyTypes = /^(?:small)?money$/;

export const mssqlFunctions: FunctionSql = {
  ...defaultFunctions,
  value(type, value) {
    if (isText(type) && value !== null) return bound(value);
    const given = sql`cast(${bound(value)} as ${text(castOf(type))})`;
    return type.native === 'datetime' && isOfDatetime(value) ? sql`cast(${given} as datetime)` : given;
  },
  // With the column's type stated, a text or bytes would be truncated silently to the column's length, whereas the column itself refuses them.
  assigned: ({ native }, value) =>
    native === undefined || (value !== null && cutTypes.test(native))
      ? bound(value)
      : sql`cast(${bound(value)} as ${text(native)})`,
  // A text becomes an amount of money only by an explicit cast.
  placeholder: ({ native = '' }) => (moneyTypes.test(native) ? `cast(? as ${native})` : '?'),
  shown(type, value) {
    if (type.kind !== 'decimal') return value;
    // As text, an amount of money has two of its four places unless style 2 asks for all.
    if (moneyTypes.test(type.native ?? '')) return sql`convert(varchar(64), ${value}, 2)`;
    return sql`cast(${value} as varchar(64))`;
  },
  boolean: (value) => text(`cast(${value ? 1 : 0} as bit)`),
  truth: (condition) => sql`cast(case when ${condition} then 1 when not (${condition}) then 0 end as bit)`,
  holds: (value) => sql`(${value}) = 1`,
  // The comparison in the database's own collation can use an index; the exact one decides.
  equals(type, left, right) {
    if (!isText(type)) return sql`${comparable(type, left)} = ${comparable(type, right)}`;
    const isExact = sql`${exact(type, left)} = ${exact(type, right)}`;
    return isPlainText(type) ? sql`(${left} = ${sought(type, right)} and ${isExact})` : isExact;
  },
  // `intersect` equates two nulls and is never unknown.
  same: (type, left, right) =>
    sql`exists (select ${exact(type, comparable(type, left))} intersect select ${exact(type, comparable(type, right))})`,
  compare: (type, comparison, left, right) =>
    sql`${exact(type, comparable(type, left))} ${text(comparison)} ${exact(type, comparable(type, right))}`,
  oneOf(type, value, choices) {
    const isExact = defaultFunctions.oneOf(
      type,
      exact(type, comparable(type, value)),
      choices.map((choice) => exact(type, comparable(type, choice))),
    );
    const isSought = isKeyText(type) && choices.length > 0 && choices.length <= mostSought;
    if (!isSought) return isExact;
    const found = choices.map((choice) => sought(type, choice));
    return sql`(${value} in (${joined(found, ', ')}) and ${isExact})`;
  },
  orderBy: (type, value, direction) =>
    isText(type)
      ? [sql`${folded(value)} ${text(direction)}`, sql`${binary(value)} ${text(direction)}`]
      : [sql`${comparable(type, value)} ${text(direction)}`],
  groupKey: (type, value) => exact(type, comparable(type, value)),
  // A bound value takes the collation of the column, and both columns of a foreign key have the same collation.
  ofKeys: {
    equals: (type, left, right) =>
      isKeyText(type) ? sql`${left} = ${boundKey(type, right)}` : mssqlFunctions.equals(type, left, right),
    equalsUndeclared: (type, left, right) => mssqlFunctions.equals(type, left, right),
    oneOf(type, value, choices) {
      if (!isKeyText(type) || choices.length === 0) return mssqlFunctions.oneOf(type, value, choices);
      const found = choices.map((choice) => boundKey(type, choice));
      return sql`${value} in (${joined(found, ', ')})`;
    },
    groupKey: (type, value) => (isKeyText(type) ? value : mssqlFunctions.groupKey(type, value)),
  },
  like: (value, pattern) =>
    sql`${folded(value)} like ${folded(bound(pattern.replaceAll('[', '![')))} escape '!'`,
  asText: (type, value) => cast(type, 'text', value),
  isEmpty: (type, value) =>
    isText(type) ? sql`(${value} is null or datalength(${value}) = 0)` : sql`${value} is null`,
  lower: (value) => sql`lower(${words(value)})`,
  upper: (value) => sql`upper(${words(value)})`,
  start: (value) => sql`cast(${value} as nvarchar(1000))`,
  before: (value, mark) =>
    sql`left(${binary(value)}, charindex(${bound(mark)}, ${binary(value)} + ${bound(mark)}) - 1)`,
  length,
  minimum: (type, value) => extreme('min', type, value),
  maximum: (type, value) => extreme('max', type, value),
  cast,
};
