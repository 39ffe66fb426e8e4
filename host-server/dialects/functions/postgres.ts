import type { Binding } from '../../sql/session.ts';
import { bound, sql, text } from '../../sql/fragment.ts';
import type { SqlFragment } from '../../sql/fragment.ts';
import type { StorageKind } from '@trellis/sdk/shared';
import { defaultFunctions, isText, plainArithmetic, type FunctionSql, type SqlType } from './default.ts';

/** The types to which bound values are cast. Without a cast PostgreSQL guesses from the context, sometimes wrongly. */
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

/** Whether a type is read as text without being a text type of PostgreSQL: an enum, an address, an array. */
function isShownAsText({ kind, native }: SqlType): boolean {
  return (kind === 'text' || kind === 'string') && native !== undefined && !texts.test(native);
}

/** The value as text, for JSON, which has no equality, and for types that compare only with their own values. */
function comparable(type: SqlType, value: SqlFragment): SqlFragment {
  return type.kind === 'json' || isShownAsText(type) ? sql`(${value})::text` : value;
}

/** A value for ordering: text is ordered by code points, whatever the database's collation is. */
function ordered(type: SqlType, value: SqlFragment): SqlFragment {
  return isText(type) ? sql`(${value})::text collate "C"` : comparable(type, value);
}

/** The minimum or maximum, without the collation in which it was compared: in that collation `ilike` and `lower` fold only ASCII. */
function extreme(name: 'min' | 'max', type: SqlType, value: SqlFragment): SqlFragment {
  const found = sql`${text(name)}(${ordered(type, value)})`;
  return isText(type) ? sql`(${found} collate "default")` : found;
}

function typed(type: SqlType, value: Binding): SqlFragment {
  const cast = castOf(type);
  return cast === undefined ? bound(value) : sql`cast(${bound(value)} as ${text(cast)})`;
}

/** The name of a type as `format_type` writes it, quoted if necessary. */
const typeName = /^(?:[a-z_][\w$]*|"[\w $]+")(?:\.(?:[a-z_][\w$]*|"[\w $]+"))?$/;

/** A value that is written to a column: an enum needs a cast from text. */
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
  // PostgreSQL sums whole numbers beyond 64 bits by itself; converting each to a decimal first takes twice as long.
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
    // A result beyond 64 bits would fail the whole statement.
    const isWidened = kind === 'bigint' && operator !== 'modulo';
    return plainArithmetic(operator, isWidened ? sql`(${left})::numeric` : left, right);
  },
};
