import { bound, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import { asBasicUnit, datePieces, type DateLetters, type DateSql } from './default.ts';

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
    // Before the year 1 comes a date of zeros, to which nothing can be added.
    return sql`date_add(${sum}, interval 0 day)`;
  },
  weekday: (value) => sql`weekday(${value})`,
  week: (value) => sql`week(${value}, 3)`,
  monthEnd: (value, months) =>
    sql`last_day(date_add(date(${value}), interval cast(${months} as signed) month))`,
  format: (value, pattern) => sql`date_format(${value}, ${bound(patternOf(pattern))})`,
  monthsBetween: (left, right) => sql`timestampdiff(month, ${left}, ${right})`,
  secondsBetween(left, right) {
    const whole = (value: SqlFragment) =>
      sql`date_format(cast(${value} as datetime(6)), '%Y-%m-%d %H:%i:%s')`;
    return sql`timestampdiff(second, ${whole(left)}, ${whole(right)})`;
  },
  part: (unit, value) => sql`extract(${text(unit)} from ${value})`,
  daysBetween: (left, right) => sql`datediff(${right}, ${left})`,
};
