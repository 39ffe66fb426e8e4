import { bound, sql, text } from '../../sql/fragment.ts';
import { asBasicUnit, type DateSql } from './default.ts';

export const postgresDates: DateSql = {
  now: () => text("date_trunc('second', now() at time zone 'UTC')"),
  epoch: (plus = 0) =>
    sql`(floor(extract(epoch from clock_timestamp()) * 1000)::bigint + cast(${bound(plus)} as bigint))`,
  today: () => text("(now() at time zone 'UTC')::date"),
  dateOf: (value) => sql`(${value})::date`,
  add(kind, value, amount, unit) {
    const basic = asBasicUnit(unit);
    const interval = sql`(cast(${amount} as integer) * interval ${text(`'${basic.times} ${basic.unit}'`)})`;
    const sum = sql`((${value})::timestamp + ${interval})`;
    return kind === 'date' && !['hour', 'minute', 'second'].includes(basic.unit) ? sql`${sum}::date` : sum;
  },
  weekday: (value) => sql`(extract(isodow from (${value})::timestamp)::int - 1)`,
  part: (unit, value) => sql`floor(extract(${text(unit)} from (${value})::timestamp))::int`,
  daysBetween: (left, right) => sql`((${right})::date - (${left})::date)`,
};
