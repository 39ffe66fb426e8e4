import { bound, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import { asBasicUnit, datePieces, type DateLetters, type DateSql } from './default.ts';
import type { DatePart } from './read-pattern.ts';

const letters: Readonly<Record<DateLetters, string>> = {
  YYYY: '%Y',
  YY: '%y',
  MMMM: '%M',
  MMM: '%b',
  MM: '%m',
  M: '%c',
  DD: '%d',
  D: '%e',
  dddd: '%W',
  ddd: '%a',
  HH: '%H',
  H: '%k',
  hh: '%h',
  h: '%l',
  mm: '%i',
  ss: '%s',
  A: '%p',
};

/** The pattern as `date_format` reads it. */
function patternOf(pattern: string): string {
  return datePieces(pattern)
    .map((piece) => ('letters' in piece ? letters[piece.letters] : piece.words.replaceAll('%', '%%')))
    .join('');
}

export const mysqlDates: DateSql = {
  now: () => text('utc_timestamp()'),
  epoch: (plus = 0) =>
    sql`(timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000 + cast(${bound(plus)} as signed))`,
  today: () => text('utc_date()'),
  dateOf: (value) => sql`date(${value})`,
  add(kind, value, amount, unit) {
    const basic = asBasicUnit(unit);
    const type = text(
      kind === 'date' && !['hour', 'minute', 'second'].includes(basic.unit) ? 'date' : 'datetime(6)',
    );
    const sum = sql`date_add(cast(${value} as ${type}), interval (cast(${amount} as signed) * ${text(String(basic.times))}) ${text(basic.unit)})`;
    // Before the year 1 the result is a date of zeros. Adding to it gives null.
    return sql`date_add(${sum}, interval 0 day)`;
  },
  weekday: (value) => sql`weekday(${value})`,
  week: (value) => sql`week(${value}, 3)`,
  monthEnd: (value, months) =>
    sql`last_day(date_add(date(${value}), interval cast(${months} as signed) month))`,
  format: (value, pattern) => sql`date_format(${value}, ${bound(patternOf(pattern))})`,
  read(kind, value, { pattern, groups, monthName }) {
    // MariaDB and MySQL refer to the groups of a pattern by different characters. The backslash is made by `char`, since in a
    // literal it depends on the SQL mode.
    const sign = sql`if(version() like '%MariaDB%', char(92 using utf8mb4), '$')`;
    const part = (name: DatePart, other = '00'): SqlFragment => {
      const group = groups.get(name);
      return group === undefined ? text(`'${other}'`) : sql`${sign}, ${text(`'${group}'`)}`;
    };
    const half = groups.has('half');
    const written = sql`concat(${part('year')}, '-', ${part('month', '01')}, '-', ${part('day', '01')}, ' ', ${part('hour')}, ':', ${part('minute')}, ':', ${part('second')}, ' ', ${half ? part('half') : text("''")})`;
    // A text that does not match becomes empty, which `str_to_date` cannot read.
    const all = bound(String.raw`^(?:${pattern})\z|^[\s\S]*\z`);
    const iso = sql`regexp_replace(convert(${value} using utf8mb4) collate utf8mb4_bin, ${all}, ${written})`;
    const month = monthName === undefined ? '%m' : monthName === 'long' ? '%M' : '%b';
    const form = `'%Y-${month}-%d ${half ? '%h:%i:%s %p' : '%H:%i:%s'}'`;
    const moment = sql`str_to_date(trim(${iso}), ${text(form)})`;
    return kind === 'date' ? sql`date(${moment})` : moment;
  },
  monthsBetween: (left, right) => sql`timestampdiff(month, ${left}, ${right})`,
  secondsBetween(left, right) {
    const whole = (value: SqlFragment) =>
      sql`date_format(cast(${value} as datetime(6)), '%Y-%m-%d %H:%i:%s')`;
    return sql`timestampdiff(second, ${whole(left)}, ${whole(right)})`;
  },
  part: (unit, value) => sql`extract(${text(unit)} from ${value})`,
  daysBetween: (left, right) => sql`datediff(${right}, ${left})`,
};
