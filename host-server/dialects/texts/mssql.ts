import { joined, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import { clampBy, guardedTexts, type TextSql } from './default.ts';

/** Text of any length that counts whole characters, whatever the column's type and collation are. */
export const words = (value: SqlFragment): SqlFragment =>
  sql`cast(${value} as nvarchar(max)) collate Latin1_General_100_CI_AS_SC`;

/** Text that compares by its exact letters. */
export const binary = (value: SqlFragment): SqlFragment =>
  sql`cast(${value} as nvarchar(max)) collate Latin1_General_100_BIN2`;

/** `len` ignores trailing blanks. */
export const length = (value: SqlFragment): SqlFragment => sql`(len(${words(value)} + N'x') - 1)`;

const clamped = clampBy(
  (value, low, high) =>
    sql`(case when ${value} < ${low} then ${low} when ${value} > ${high} then ${high} else ${value} end)`,
);

/** A character that no text contains: Unicode reserves it as a noncharacter. */
const between = text('nchar(65535)');

/** The characters that `emailPattern` excludes; the first three are tab and line breaks. */
const strange = text(`N'%[' + nchar(9) + nchar(10) + nchar(13) + N' ,;:<>()"]%'`);

export const mssqlTexts: TextSql = {
  trim: (value) => sql`ltrim(rtrim(${words(value)}))`,
  left: (value, count) => sql`left(${words(value)}, ${clamped(count, 0)})`,
  right: (value, count) => sql`right(${words(value)}, ${clamped(count, 0)})`,
  part: (value, start, count) =>
    sql`substring(${words(value)}, ${clamped(start, 1)}, ${count === undefined ? text('10000000') : clamped(count, 0)})`,
  position(value, search) {
    // Searched in units of UTF-16, because only that comparison is exact; then converted to characters.
    const found = sql`select ${binary(value)} as whole, charindex(${binary(search)}, ${binary(value)}) as place`;
    const before = sql`left(given.whole, given.place - 1)`;
    return sql`(select case when given.place = 0 then 0 when given.place > 0 then ${length(before)} + 1 end from (${found}) as given)`;
  },
  join: (value, orderBy) =>
    sql`string_agg(${words(value)}, N'') within group (order by ${joined(orderBy, ', ')})`,
  ...guardedTexts({
    clamped,
    concat: (parts) => sql`concat(${joined([text("N''"), ...parts.map(words), text("N''")], ', ')})`,
    start: (value, count) => sql`left(${words(value)}, ${count})`,
    length,
    replace: (value, search, replacement) =>
      sql`replace(${binary(value)}, ${binary(search)}, ${binary(replacement)})`,
    repeat: (value, count) => sql`replicate(${words(value)}, ${count})`,
    pad(side, value, wanted, fill) {
      const filled = sql`left(replicate(${words(fill)}, ${wanted}), ${wanted} - ${length(value)})`;
      return side === 'left' ? sql`(${filled} + ${words(value)})` : sql`(${words(value)} + ${filled})`;
    },
    matchesEmail(value) {
      const given = sql`select ${binary(value)} as address`;
      const taken = sql`select given.address, charindex(N'@', given.address) as place, substring(given.address, charindex(N'@', given.address) + 1, 1000) as domain from (${given}) as given`;
      const isName = sql`taken.place between 2 and 65`;
      const isDomain = sql`taken.domain like N'[^.]%.%[^.]' and taken.domain not like N'%..%' and taken.domain not like N'%[@|]%'`;
      return sql`(select case when taken.address is not null then case when ${isName} and ${isDomain} and taken.address not like ${strange} then 1 else 0 end end from (${taken}) as taken) = 1`;
    },
    // SQL Server has no patterns but those of `like`, so no text matches.
    matches: () => sql`1 = null`,
    matchedPart: () => sql`cast(null as nvarchar(max))`,
    replaceMatches: () => sql`cast(null as nvarchar(max))`,
    proper(value) {
      const list = sql`N'["' + replace(string_escape(${words(value)}, 'json'), N' ', N'","') + N'"]'`;
      const each = sql`upper(left(parts.[value], 1)) + lower(substring(parts.[value], 2, 10000))`;
      return sql`(select string_agg(cast(${each} as nvarchar(max)), N' ') within group (order by cast(parts.[key] as int)) from openjson(${list}) as parts)`;
    },
    encodeUrl(value) {
      const bytes = sql`select cast(cast(${words(value)} collate Latin1_General_100_BIN2_UTF8 as varchar(max)) as varbinary(max)) as bytes`;
      // Bytes are numbered in a derived table: an aggregate cannot combine a value of the outer row with others.
      const places = sql`select top (datalength(given.bytes)) given.bytes, row_number() over (order by (select null)) as place from sys.all_columns as some_rows cross join sys.all_columns as more_rows`;
      const byte = sql`substring(numbered.bytes, numbered.place, 1)`;
      const letter = sql`cast(cast(${byte} as char(1)) as nvarchar(1)) collate Latin1_General_100_BIN2`;
      const each = sql`case when ${letter} like N'[-A-Za-z0-9._~]' then ${letter} else N'%' + convert(nchar(2), ${byte}, 2) end`;
      const all = sql`select string_agg(cast(${each} as nvarchar(max)), N'') within group (order by numbered.place) from (${places}) as numbered`;
      return sql`(select case when datalength(given.bytes) > 0 then (${all}) when given.bytes is not null then N'' end from (${bytes}) as given)`;
    },
    splitPart(value, separator, number) {
      const marked = sql`string_escape(replace(${binary(value)}, ${binary(separator)}, ${between}), 'json')`;
      const list = sql`N'["' + replace(${marked}, ${between}, N'","') + N'"]'`;
      return sql`(select case when ${value} is not null then coalesce(max(parts.[value]), N'') end from openjson(${list}) as parts where parts.[key] = cast(${number} as bigint) - 1)`;
    },
  }),
};
