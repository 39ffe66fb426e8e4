import { bound, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import { asBasicUnit, datePieces, unitsInAllYears, type DateLetters, type DateSql } from './default.ts';

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
    // Far beyond the years that are kept, timestamps end in an error. Each part stands once, as formulas put one into another.
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
  monthsBetween: (left, right) =>
    sql`(select (extract(year from age) * 12 + extract(month from age))::int from (select age((${right})::timestamp, (${left})::timestamp) as age) as ages)`,
  secondsBetween(left, right) {
    const whole = (value: SqlFragment) => sql`date_trunc('second', (${value})::timestamp)`;
    return sql`extract(epoch from (${whole(right)} - ${whole(left)}))::bigint`;
  },
  part: (unit, value) => sql`floor(extract(${text(unit)} from (${value})::timestamp))::int`,
  daysBetween: (left, right) => sql`((${right})::date - (${left})::date)`,
};
