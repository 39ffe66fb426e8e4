import { bound, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import { asBasicUnit, type DateSql } from './default.ts';

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
    return sql`(case when ${sum} >= '0001-01-01' then ${sum} end)`;
  },
  weekday: (value) => sql`weekday(${value})`,
  week: (value) => sql`week(${value}, 3)`,
  secondsBetween(left, right) {
    const whole = (value: SqlFragment) =>
      sql`date_format(cast(${value} as datetime(6)), '%Y-%m-%d %H:%i:%s')`;
    return sql`timestampdiff(second, ${whole(left)}, ${whole(right)})`;
  },
  part: (unit, value) => sql`extract(${text(unit)} from ${value})`,
  daysBetween: (left, right) => sql`datediff(${right}, ${left})`,
};
