import type { Binding } from '../../sql/session.ts';
import { bound, joined, sql, text } from '../../sql/fragment.ts';
import type { SqlFragment } from '../../sql/fragment.ts';
import { defaultFunctions, isText, type FunctionSql, type SqlType } from './default.ts';

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

/** JSON has no equality of its own, so it compares as the text that was written. */
function comparable(type: SqlType, value: SqlFragment): SqlFragment {
  return type.kind === 'json' ? sql`(${value})::text` : value;
}

function typed(type: SqlType, value: Binding): SqlFragment {
  const cast = castOf(type);
  return cast === undefined ? bound(value) : sql`cast(${bound(value)} as ${text(cast)})`;
}

export const postgresFunctions: FunctionSql = {
  ...defaultFunctions,
  value: typed,
  assigned: typed,
  equals: (type, left, right) => sql`${comparable(type, left)} = ${comparable(type, right)}`,
  same: (type, left, right) => sql`${comparable(type, left)} is not distinct from ${comparable(type, right)}`,
  orderBy: (type, value, direction) => {
    const nulls = text(direction === 'asc' ? 'asc nulls first' : 'desc nulls last');
    if (!isText(type)) return [sql`${comparable(type, value)} ${nulls}`];
    const plain = sql`(${value})::text collate "C"`;
    return [sql`lower((${value})::text) collate "C" ${nulls}`, sql`${plain} ${nulls}`];
  },
  groupKey: comparable,
  like: (value, pattern) => sql`(${value})::text ilike ${bound(pattern)} escape '!'`,
  lower: (value) => sql`lower((${value})::text)`,
  upper: (value) => sql`upper((${value})::text)`,
  length: (value) => sql`length((${value})::text)`,
  concat: (parts) =>
    sql`concat(${joined(
      parts.map((part) => sql`(${part})::text`),
      ', ',
    )})`,
  minimum: (type, value) =>
    type.kind === 'boolean' ? sql`bool_and(${value})` : sql`min(${comparable(type, value)})`,
  maximum: (type, value) =>
    type.kind === 'boolean' ? sql`bool_or(${value})` : sql`max(${comparable(type, value)})`,
  math: (name, parts) => {
    const numbers = parts.map((part) => sql`(${part})::numeric`);
    if (name === 'round' && parts.length === 2) {
      return sql`round(${joined([numbers[0] ?? text('null'), sql`(${parts[1] ?? text('0')})::int`], ', ')})`;
    }
    if (name === 'log10') return sql`log(${joined(numbers, ', ')})`;
    return sql`${text(name)}(${joined(numbers, ', ')})`;
  },
  divide: (left, right) => sql`((${left})::numeric / nullif((${right})::numeric, 0))`,
};
