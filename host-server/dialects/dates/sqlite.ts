import { bound, sql, text } from '../../sql/fragment.ts';
import { asBasicUnit, datePieces, type DateSql } from './default.ts';

const PARTS = { year: '%Y', month: '%m', day: '%d', hour: '%H', minute: '%M', second: '%S' } as const;

export const sqliteDates: DateSql = {
  now: () => text("datetime('now')"),
  epoch: (plus = 0) => sql`(cast(unixepoch('subsec') * 1000 as integer) + ${bound(plus)})`,
  today: () => text("date('now')"),
  dateOf: (value) => sql`date(${value})`,
  add(kind, value, amount, unit) {
    const basic = asBasicUnit(unit);
    // SQLite has no weeks. With `floor`, 31 January plus a month stays in February.
    const [name, times] = basic.unit === 'week' ? ['day', 7] : [basic.unit, basic.times];
    const modifier = sql`(cast(${amount} as integer) * ${text(String(times))}) || ${text(`' ${name}s'`)}`;
    const floor = text(name === 'month' || name === 'year' ? ", 'floor'" : '');
    const call = text(
      kind === 'date' && !['hour', 'minute', 'second'].includes(name ?? '') ? 'date' : 'datetime',
    );
    if (kind === 'date') return sql`trellis_moment(${call}(${value}, ${modifier}${floor}))`;
    // Adding whole units keeps the fraction of a second, which SQLite drops. The value occurs once, as formulas nest into each other.
    const sum = sql`datetime(given.moment, ${modifier}${floor})`;
    return sql`(select trellis_moved_moment(${sum}, given.moment) from (select ${value} as moment) as given)`;
  },
  weekday: (value) => sql`((cast(strftime('%w', ${value}) as integer) + 6) % 7)`,
  week: (value) =>
    sql`((cast(strftime('%j', date(${value}, '-3 days', 'weekday 4')) as integer) - 1) / 7 + 1)`,
  monthEnd: (value, months) =>
    sql`trellis_moment(date(${value}, 'start of month', (cast(${months} as integer) + 1) || ' months', '-1 days'))`,
  format: (value, pattern) =>
    sql`trellis_date_format(${value}, ${bound(JSON.stringify(datePieces(pattern)))})`,
  read: (kind, value, { pattern, groups, monthName }) =>
    sql`trellis_date_read(${value}, ${bound(JSON.stringify({ kind, pattern, groups: [...groups], isMonthNamed: monthName !== undefined }))})`,
  // Functions in JavaScript return doubles, whose text would be `0.0`.
  monthsBetween: (left, right) => sql`cast(trellis_months_between(${left}, ${right}) as integer)`,
  secondsBetween: (left, right) => sql`(unixepoch(${right}) - unixepoch(${left}))`,
  part: (unit, value) => sql`cast(strftime(${text(`'${PARTS[unit]}'`)}, ${value}) as integer)`,
  daysBetween: (left, right) => sql`cast(julianday(date(${right})) - julianday(date(${left})) as integer)`,
};
