import { bound, joined, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import { clampBy, emailPattern, guardedTexts, type TextSql } from './default.ts';

const int = (value: SqlFragment): SqlFragment => sql`(${value})::int`;
const words = (value: SqlFragment): SqlFragment => sql`(${value})::text`;

/** Text in the C collation, whatever the column's collation is: some collations do not support patterns. */
const coded = (value: SqlFragment): SqlFragment => sql`((${value})::text collate "C")`;
/** A result of such a text without its collation; the select allows combining it with texts of other collations. */
const uncoded = (value: SqlFragment): SqlFragment => sql`(select (${value}) collate "default")`;

/** `least` and `greatest` ignore nulls on PostgreSQL. */
const clamped = clampBy(
  (value, low, high) => sql`(least(greatest(${value}, ${low}), ${high}) + ${value} * 0)`,
);

export const postgresTexts: TextSql = {
  trim: (value) => sql`trim(${words(value)})`,
  left: (value, count) => sql`left(${words(value)}, ${int(clamped(count, 0))})`,
  right: (value, count) => sql`right(${words(value)}, ${int(clamped(count, 0))})`,
  part: (value, start, count) =>
    count === undefined
      ? sql`substr(${words(value)}, ${int(clamped(start, 1))})`
      : sql`substr(${words(value)}, ${int(clamped(start, 1))}, ${int(clamped(count, 0))})`,
  position: (value, search) => sql`strpos(${words(value)}, ${words(search)})`,
  join: (value, orderBy) => sql`string_agg(${words(value)}, '' order by ${joined(orderBy, ', ')})`,
  ...guardedTexts({
    clamped,
    concat: (parts) => sql`concat(${joined(parts.map(words), ', ')})`,
    start: (value, count) => sql`left(${value}, ${count})`,
    length: (value) => sql`length(${words(value)})::bigint`,
    replace: (value, search, replacement) =>
      sql`replace(${words(value)}, ${words(search)}, ${words(replacement)})`,
    repeat: (value, count) => sql`repeat(${words(value)}, ${int(count)})`,
    pad: (side, value, length, fill) =>
      sql`${text(side === 'left' ? 'lpad' : 'rpad')}(${words(value)}, ${int(length)}, ${words(fill)})`,
    matchesEmail: (value) => sql`(${words(value)} || '|') ~ ${words(bound(emailPattern))}`,
    matches: (value, pattern) => sql`(${coded(value)} ~ ${words(bound(pattern))})`,
    matchedPart: (value, pattern) => uncoded(sql`substring(${coded(value)} from ${words(bound(pattern))})`),
    replaceMatches(value, pattern, replacement) {
      const literally = sql`replace(${words(replacement)}, chr(92), repeat(chr(92), 2))`;
      return uncoded(sql`regexp_replace(${coded(value)}, ${words(bound(pattern))}, ${literally}, 'g')`);
    },
    proper(value) {
      const each = sql`upper(left(word, 1)) || lower(substr(word, 2))`;
      const all = sql`select string_agg(${each}, ' ' order by place) from unnest(string_to_array(given.whole, ' ')) with ordinality as parts(word, place)`;
      return sql`(select case when given.whole = '' then '' else (${all}) end from (select ${words(value)} as whole) as given)`;
    },
    encodeUrl(value) {
      const bytes = sql`upper(encode(convert_to(c, 'UTF8'), 'hex'))`;
      const kept = sql`c collate "C" ~ '[A-Za-z0-9._~-]'`;
      const each = sql`case when ${kept} then c else regexp_replace(${bytes}, '(..)', '%\\1', 'g') end`;
      return sql`(select coalesce(string_agg(${each}, '' order by n), '') from regexp_split_to_table(${words(value)}, '') with ordinality as parts(c, n) where c <> '')`;
    },
    splitPart: (value, separator, number) =>
      sql`split_part(${words(value)}, ${words(separator)}, ${int(number)})`,
  }),
};
