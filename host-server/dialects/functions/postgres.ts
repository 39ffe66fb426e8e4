import type { Binding } from '../../sql/session.ts';
import { bound, sql, text } from '../../sql/fragment.ts';
import type { SqlFragment } from '../../sql/fragment.ts';
import type { StorageKind } from '@trellis/sdk/shared';
import { defaultFunctions, isText, plainArithmetic, type FunctionSql, type SqlType } from './default.ts';

/** The types that a bound value is cast to, since PostgreSQL guesses from its surroundings otherwise, and wrongly in some. */
const CASTS: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  integer: 'bigint',
  bigint: 'bigint',
  decimal: 'numeric',
  float: 'double precision',
  string: 'text',
  text: 'text',
  date: 'date',
  time: 'time',
  datetime: 'timestamp',
  json: 'json',
  binary: 'bytea',
};

function castOf({ kind, native }: SqlType): string | undefined {
  if (kind === 'datetime' && native?.includes('with time zone') === true) return 'timestamp with time zone';
  if (native === 'uuid' || native === 'citext' || native === 'jsonb') return native;
  return CASTS[kind];
}

const texts = /^(?:character|character varying|text|name|citext|uuid)(?:\(\d+\))?$/;

/** A type that is read as text and is none to PostgreSQL: an enum, an address, an array. */
function isShownAsText({ kind, native }: SqlType): boolean {
  return (kind === 'text' || kind === 'string') && native !== undefined && !texts.test(native);
}

/** JSON has no equality of its own, and other types have one with their own values alone: they compare as texts. */
function comparable(type: SqlType, value: SqlFragment): SqlFragment {
  return type.kind === 'json' || isShownAsText(type) ? sql`(${value})::text` : value;
}

/** A value as it is ordered: text by the code points of its letters, whatever the database's collation is. */
function ordered(type: SqlType, value: SqlFragment): SqlFragment {
  return isText(type) ? sql`(${value})::text collate "C"` : comparable(type, value);
}

/** The collation is taken off again: it would follow the value into `ilike` and `lower`, which fold only ASCII in it. */
function extreme(name: 'min' | 'max', type: SqlType, value: SqlFragment): SqlFragment {
  const found = sql`${text(name)}(${ordered(type, value)})`;
  return isText(type) ? sql`(${found} collate "default")` : found;
}

function typed(type: SqlType, value: Binding): SqlFragment {
  const cast = castOf(type);
  return cast === undefined ? bound(value) : sql`cast(${bound(value)} as ${text(cast)})`;
}

/** A name of a type as `format_type` writes it, quoted where it must be. */
const typeName = /^(?:[a-z_][\w$]*|"[\w $]+")(?:\.(?:[a-z_][\w$]*|"[\w $]+"))?$/;

/** A value on its way into a column: an enum takes no text. */
function assigned(type: SqlType, value: Binding): SqlFragment {
  const { native = '' } = type;
  if (!isShownAsText(type)) return typed(type, value);
  return typeName.test(native) ? sql`cast(${bound(value)} as ${text(native)})` : bound(value);
}

function cast(from: SqlType, to: StorageKind, value: SqlFragment): SqlFragment {
  if (to === 'string' || to === 'text')
    return from.kind === 'decimal' || from.kind === 'float'
      ? sql`trim_scale((${value})::numeric)::text`
      : sql`(${value})::text`;
  const target = castOf({ kind: to });
  return target === undefined || (from.kind === to && from.native === undefined)
    ? value
    : sql`(${value})::${text(target)}`;
}

export const postgresFunctions: FunctionSql = {
  ...defaultFunctions,
  value: typed,
  assigned,
  equals: (type, left, right) => sql`${comparable(type, left)} = ${comparable(type, right)}`,
  oneOf: (type, value, choices) =>
    defaultFunctions.oneOf(
      type,
      comparable(type, value),
      choices.map((choice) => comparable(type, choice)),
    ),
  isEmpty: (type, value) => defaultFunctions.isEmpty(type, comparable(type, value)),
  same: (type, left, right) => sql`${comparable(type, left)} is not distinct from ${comparable(type, right)}`,
  orderBy: (type, value, direction) => {
    const nulls = text(direction === 'asc' ? 'asc nulls first' : 'desc nulls last');
    if (!isText(type)) return [sql`${comparable(type, value)} ${nulls}`];
    const plain = sql`(${value})::text collate "C"`;
    return [sql`lower((${value})::text) collate "C" ${nulls}`, sql`${plain} ${nulls}`];
  },
  compare: (type, comparison, left, right) =>
    sql`${ordered(type, left)} ${text(comparison)} ${ordered(type, right)}`,
  groupKey: comparable,
  letters: (value) => sql`((${value})::text collate "C")`,
  // Which database adds up whole numbers in 64 bits and more by itself; numbers that are made decimals first take twice as long.
  sumOfWhole: (value) => sql`(sum(${value}))::numeric`,
  like: (value, pattern) => sql`(${value})::text ilike ${bound(pattern)} escape '!'`,
  lower: (value) => sql`lower((${value})::text)`,
  upper: (value) => sql`upper((${value})::text)`,
  start: (value) => sql`substr((${value})::text, 1, 1000)`,
  before: (value, mark) => sql`split_part((${value})::text, cast(${bound(mark)} as text), 1)`,
  length: (value) => sql`length((${value})::text)`,
  minimum: (type, value) => (type.kind === 'boolean' ? sql`bool_and(${value})` : extreme('min', type, value)),
  maximum: (type, value) => (type.kind === 'boolean' ? sql`bool_or(${value})` : extreme('max', type, value)),
  cast,
  arithmetic(kind, operator, left, right) {
    // What does not fit into 64 bits would be an error of the whole list.
    const isWidened = kind === 'bigint' && operator !== 'modulo';
    return plainArithmetic(operator, isWidened ? sql`(${left})::numeric` : left, right);
  },
};
