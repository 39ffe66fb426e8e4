import { bound, joined, sql } from '../../sql/fragment.ts';
import { clampBy, emailPattern, guardedTexts, type TextSql } from './default.ts';

const clamped = clampBy((value, low, high) => sql`min(max(${value}, ${low}), ${high})`);

export const sqliteTexts: TextSql = {
  trim: (value) => sql`trim(${value})`,
  left: (value, count) => sql`substr(${value}, 1, ${clamped(count, 0)})`,
  right(value, count) {
    const some = clamped(count, 0);
    return sql`(case when ${some} = 0 then substr(${value}, 1, 0) else substr(${value}, -${some}) end)`;
  },
  part: (value, start, count) =>
    count === undefined
      ? sql`substr(${value}, ${clamped(start, 1)})`
      : sql`substr(${value}, ${clamped(start, 1)}, ${clamped(count, 0)})`,
  position: (value, search) => sql`instr(${value}, ${search})`,
  join: (value, orderBy) => sql`group_concat(${value}, '' order by ${joined(orderBy, ', ')})`,
  ...guardedTexts({
    clamped,
    concat: (parts) =>
      sql`(${joined(
        parts.map((part) => sql`coalesce(${part}, '')`),
        ' || ',
      )})`,
    start: (value, count) => sql`substr(${value}, 1, ${count})`,
    length: (value) => sql`length(${value})`,
    replace: (value, search, replacement) => sql`replace(${value}, ${search}, ${replacement})`,
    repeat: (value, count) => sql`trellis_repeat(${value}, ${count})`,
    pad: (side, value, length, fill) => {
      const added = sql`substr(trellis_repeat(${fill}, ${length}), 1, ${length} - length(${value}))`;
      return side === 'left' ? sql`(${added} || ${value})` : sql`(${value} || ${added})`;
    },
    matchesEmail: (value) => sql`trellis_matches(${value} || '|', ${bound(emailPattern)})`,
    matches: (value, pattern) => sql`trellis_matches(${value}, ${bound(pattern)})`,
    matchedPart: (value, pattern) => sql`trellis_matched_part(${value}, ${bound(pattern)})`,
    replaceMatches: (value, pattern, replacement) =>
      sql`trellis_replace_matches(${value}, ${bound(pattern)}, ${replacement})`,
    proper: (value) => sql`trellis_proper(${value})`,
    encodeUrl: (value) => sql`trellis_encode_url(${value})`,
    splitPart: (value, separator, number) => sql`trellis_split_part(${value}, ${separator}, ${number})`,
  }),
};
