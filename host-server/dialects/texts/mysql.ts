import { bound, joined, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import { cased } from '../functions/mysql.ts';
import { clampBy, emailPattern, guardedTexts, type TextSql } from './default.ts';

/** With regard to case and accents, whatever the column's collation is. */
const exact = (value: SqlFragment): SqlFragment => sql`(convert(${value} using utf8mb4) collate utf8mb4_bin)`;
const length = (value: SqlFragment): SqlFragment => sql`char_length(${value})`;

const clamped = clampBy((value, low, high) => sql`least(greatest(${value}, ${low}), ${high})`);

/** Characters that stay in a URL, with their percent-encoded form. */
const keptInUrls = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~').map(
  (character) => [`%${character.charCodeAt(0).toString(16).toUpperCase()}`, character] as const,
);

export const mysqlTexts: TextSql = {
  trim: (value) => sql`trim(${value})`,
  left: (value, count) => sql`left(${value}, ${clamped(count, 0)})`,
  right: (value, count) => sql`right(${value}, ${clamped(count, 0)})`,
  part: (value, start, count) =>
    count === undefined
      ? sql`substr(${value}, ${clamped(start, 1)})`
      : sql`substr(${value}, ${clamped(start, 1)}, ${clamped(count, 0)})`,
  position: (value, search) => sql`locate(${search}, ${exact(value)})`,
  join: (value, orderBy) => sql`group_concat(${value} order by ${joined(orderBy, ', ')} separator '')`,
  ...guardedTexts({
    clamped,
    concat: (parts) =>
      sql`concat(${joined(
        parts.map((part) => sql`ifnull(${part}, '')`),
        ', ',
      )})`,
    start: (value, count) => sql`left(${value}, ${count})`,
    length,
    replace: (value, search, replacement) => sql`replace(${exact(value)}, ${search}, ${replacement})`,
    repeat: (value, count) => sql`repeat(${value}, ${count})`,
    pad: (side, value, wanted, fill) =>
      sql`${text(side === 'left' ? 'lpad' : 'rpad')}(${value}, ${wanted}, ${fill})`,
    matchesEmail: (value) => sql`(concat(${exact(value)}, '|') regexp ${bound(emailPattern)})`,
    matches: (value, pattern) => sql`(${exact(value)} regexp ${bound(pattern)})`,
    matchedPart: (value, pattern) =>
      sql`(case when ${exact(value)} regexp ${bound(pattern)} then regexp_substr(${exact(value)}, ${bound(pattern)}) end)`,
    replaceMatches(value, pattern, replacement) {
      // MariaDB and MySQL refer to groups by different characters; in both, a backslash escapes them.
      const sign = sql`char(92 using utf8mb4)`;
      const backslashed = sql`replace(${exact(replacement)}, ${sign}, repeat(${sign}, 2))`;
      const literally = sql`replace(${backslashed}, '$', concat(${sign}, '$'))`;
      return sql`regexp_replace(${exact(value)}, ${bound(pattern)}, ${literally})`;
    },
    proper(value) {
      const list = sql`concat('[', replace(json_quote(${exact(value)}), ' ', '","'), ']')`;
      const each = sql`concat(${cased('upper', text('left(words.word, 1)'))}, ${cased('lower', text('substr(words.word, 2)'))})`;
      return sql`(select group_concat(${each} order by words.place separator ' ') from json_table(${list}, '$[*]' columns (place for ordinality, word longtext path '$')) as words)`;
    },
    encodeUrl(value) {
      // MariaDB and MySQL refer to the groups of a pattern by different characters. The backslash is made by `char`, since in a
      // literal it depends on the SQL mode.
      const group = sql`concat('%', if(version() like '%MariaDB%', char(92 using utf8mb4), '$'), '1')`;
      const bytes = sql`regexp_replace(hex(${exact(value)}), '(..)', ${group})`;
      return keptInUrls.reduce(
        (made, [code, character]) => sql`replace(${made}, ${text(`'${code}'`)}, ${text(`'${character}'`)})`,
        exact(bytes),
      );
    },
    splitPart(value, separator, number) {
      const whole = exact(value);
      const until = (count: SqlFragment) => sql`substring_index(${whole}, ${separator}, ${count})`;
      const before = until(sql`${number} - 1`);
      const isThere = sql`${length(before)} < ${length(value)}`;
      const from = sql`substr(${until(number)}, ${length(before)} + ${length(separator)} + 1)`;
      return sql`(case when ${number} = 1 then ${until(text('1'))} when ${isThere} then ${from} when ${value} is not null then '' end)`;
    },
  }),
};
