import { bound, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import { asBasicUnit, unitsInAllYears, type DateSql } from './default.ts';

export const postgresDates: DateSql = {
  now: () => text("date_trunc('second', now() at time zone 'UTC')"),
  epoch: (plus = 0) =>
    sql`(floor(extract(epoch from clock_timestamp()) * 1000)::bigint + cast(${bound(plus)} as bigint))`,
  today: () => text("(now() at time zone 'UTC')::date"),
  dateOf: (value) => sql`(${value})::date`,
  add(kind, value, amount, unit) {
    const basic = asBasicUnit(unit);
    const moment = sql`(${value})::timestamp`;
    const years = sql`extract(year from ${moment}) + (${amount})::numeric * ${text(`${basic.times * 10_000}`)} / ${text(`${unitsInAllYears[basic.unit]}`)}`;
    // Far beyond the years that are kept, timestamps end in an error.
    const some = sql`(case when ${years} between -4000 and 14000 then (${amount})::double precision end)`;
    const interval = sql`(${some} * interval ${text(`'${basic.times} ${basic.unit}'`)})`;
    const found = sql`(${moment} + ${interval})`;
    const sum = sql`(case when ${found} >= timestamp '0001-01-01' and ${found} < timestamp '9999-12-31' + interval '1 day' then ${found} end)`;
    return kind === 'date' && !['hour', 'minute', 'second'].includes(basic.unit) ? sql`${sum}::date` : sum;
  },
  weekday: (value) => sql`(extract(isodow from (${value})::timestamp)::int - 1)`,
  week: (value) => sql`extract(week from (${value})::timestamp)::int`,
  secondsBetween(left, right) {
    const whole = (value: SqlFragment) => sql`date_trunc('second', (${value})::timestamp)`;
    return sql`extract(epoch from (${whole(right)} - ${whole(left)}))::bigint`;
  },
  part: (unit, value) => sql`floor(extract(${text(unit)} from (${value})::timestamp))::int`,
  daysBetween: (left, right) => sql`((${right})::date - (${left})::date)`,
};
