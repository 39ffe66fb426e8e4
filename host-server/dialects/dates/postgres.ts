import { bound, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import { asBasicUnit, datePieces, unitsInAllYears, type DateLetters, type DateSql } from './default.ts';
import { monthLetters, type DatePart } from './read-pattern.ts';

const letters: Readonly<Record<DateLetters, string>> = {
  YYYY: 'YYYY',
  YY: 'YY',
  MMMM: 'FMMonth',
  MMM: 'Mon',
  MM: 'MM',
  M: 'FMMM',
  DD: 'DD',
  D: 'FMDD',
  dddd: 'FMDay',
  ddd: 'Dy',
  HH: 'HH24',
  H: 'FMHH24',
  hh: 'HH12',
  h: 'FMHH12',
  mm: 'MI',
  ss: 'SS',
  A: 'AM',
};

/** The pattern as `to_char` reads it. */
function patternOf(pattern: string): string {
  return datePieces(pattern)
    .map((piece) =>
      'letters' in piece ? letters[piece.letters] : `"${piece.words.replace(/[\\"]/g, '\\$&')}"`,
    )
    .join('');
}

export const postgresDates: DateSql = {
  now: () => text("date_trunc('second', now() at time zone 'UTC')"),
  epoch: (plus = 0) =>
    sql`(floor(extract(epoch from clock_timestamp()) * 1000)::bigint + cast(${bound(plus)} as bigint))`,
  today: () => text("(now() at time zone 'UTC')::date"),
  dateOf: (value) => sql`(${value})::date`,
  add(kind, value, amount, unit) {
    const basic = asBasicUnit(unit);
    const share = text(`${basic.times * 10_000} / ${unitsInAllYears[basic.unit]}`);
    // Timestamps far beyond the years 1 to 9999 raise an error. Each part occurs once, as formulas nest into each other.
    const some = sql`case when extract(year from of) + amount * ${share} between -4000 and 14000 then amount::double precision end`;
    const found = sql`select of + (${some}) * interval ${text(`'${basic.times} ${basic.unit}'`)} as found from (select (${value})::timestamp as of, (${amount})::numeric as amount) as given`;
    const sum = sql`(select case when found >= timestamp '0001-01-01' and found < timestamp '10000-01-01' then found end from (${found}) as sums)`;
    return kind === 'date' && !['hour', 'minute', 'second'].includes(basic.unit) ? sql`${sum}::date` : sum;
  },
  weekday: (value) => sql`(extract(isodow from (${value})::timestamp)::int - 1)`,
  week: (value) => sql`extract(week from (${value})::timestamp)::int`,
  monthEnd(value, months) {
    const sum = postgresDates.add(
      'date',
      sql`date_trunc('month', (${value})::timestamp)`,
      sql`(${months}) + 1`,
      'month',
    );
    return sql`(${sum} - 1)`;
  },
  format: (value, pattern) => sql`to_char((${value})::timestamp, ${bound(patternOf(pattern))})`,
  read(kind, value, { pattern, groups, monthName }) {
    const part = (name: DatePart, other = '0'): string => {
      const group = groups.get(name);
      if (group === undefined) return other;
      return name === 'month' && monthName !== undefined
        ? `((position(lower(left(found.parts[${group}], 3)) in '${monthLetters}') + 2) / 3)`
        : `found.parts[${group}]::int`;
    };
    const half = groups.get('half');
    const hour =
      half === undefined
        ? part('hour')
        : `${part('hour')} % 12 + case when upper(found.parts[${half}]) = 'PM' then 12 else 0 end`;
    const parts = text(
      `${part('year')} as y, ${part('month', '1')} as m, ${part('day', '1')} as d, ${hour} as h, ${part('minute')} as mi, ${part('second')} as s`,
    );
    const given = sql`select ${parts} from (select regexp_match((${value})::text, ${bound(`^${pattern}$`)}) as parts) as found`;
    // `make_timestamp` raises an error for a day that does not exist.
    const lastDay = text(
      "extract(day from make_date(given.y, given.m, 1) + interval '1 month' - interval '1 day')",
    );
    const made = text('make_timestamp(given.y, given.m, given.d, given.h, given.mi, given.s)');
    const moment = sql`(select case when given.d <= ${lastDay} then ${made} end from (${given}) as given)`;
    return kind === 'date' ? sql`${moment}::date` : moment;
  },
  monthsBetween: (left, right) =>
    sql`(select (extract(year from age) * 12 + extract(month from age))::int from (select age((${right})::timestamp, (${left})::timestamp) as age) as ages)`,
  secondsBetween(left, right) {
    const whole = (value: SqlFragment) => sql`date_trunc('second', (${value})::timestamp)`;
    return sql`extract(epoch from (${whole(right)} - ${whole(left)}))::bigint`;
  },
  part: (unit, value) => sql`floor(extract(${text(unit)} from (${value})::timestamp))::int`,
  daysBetween: (left, right) => sql`((${right})::date - (${left})::date)`,
};
