import { bound, joined, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import { asBasicUnit, datePieces, type DateLetters, type DateSql } from './default.ts';
import { monthLetters, type DatePart } from './read-pattern.ts';
import { binary } from '../texts/mssql.ts';

const moment = (value: SqlFragment): SqlFragment => sql`cast(${value} as datetime2(6))`;

/** The number per day of units that are too many in ten thousand years for the 32 bits of `dateadd`. */
const perDay: Readonly<Record<string, number>> = { second: 86_400, minute: 1440 };

const twoDigits = (number: string): string => `right(concat(N'0', ${number}), 2)`;
const hour12 = '(datepart(hour, given.moment) + 11) % 12 + 1';

/** Parts of `given.moment`. Names are in English, since the connection sets its language. */
const letters: Readonly<Record<DateLetters, string>> = {
  YYYY: "right(concat(N'000', datepart(year, given.moment)), 4)",
  YY: "right(concat(N'0', datepart(year, given.moment)), 2)",
  MMMM: 'datename(month, given.moment)',
  MMM: 'left(datename(month, given.moment), 3)',
  MM: twoDigits('datepart(month, given.moment)'),
  M: 'datepart(month, given.moment)',
  DD: twoDigits('datepart(day, given.moment)'),
  D: 'datepart(day, given.moment)',
  dddd: 'datename(weekday, given.moment)',
  ddd: 'left(datename(weekday, given.moment), 3)',
  HH: twoDigits('datepart(hour, given.moment)'),
  H: 'datepart(hour, given.moment)',
  hh: twoDigits(hour12),
  h: hour12,
  mm: twoDigits('datepart(minute, given.moment)'),
  ss: twoDigits('datepart(second, given.moment)'),
  A: "case when datepart(hour, given.moment) < 12 then N'AM' else N'PM' end",
};

/** The number of a month in two digits; null when no month's name begins with the letters. */
function monthNumber(letters: string): string {
  const at = `charindex(lower(${letters}), N'${monthLetters}')`;
  return `case ${at} % 3 when 1 then ${twoDigits(`(${at} + 2) / 3`)} end`;
}

export const mssqlDates: DateSql = {
  // Converted via text, since a cast would round.
  now: () => text('convert(datetime2(0), convert(varchar(19), sysutcdatetime(), 126))'),
  epoch: (plus = 0) =>
    sql`(datediff_big(millisecond, '19700101', sysutcdatetime()) + cast(${bound(plus)} as bigint))`,
  today: () => text('cast(sysutcdatetime() as date)'),
  dateOf: (value) => sql`cast(${value} as date)`,
  add(kind, value, amount, unit) {
    const basic = asBasicUnit(unit);
    const [name, times] =
      basic.unit === 'week' ? (['day', 7] as const) : ([basic.unit, basic.times] as const);
    const of = text(name);
    const days = perDay[name];
    const sum =
      days === undefined
        ? sql`dateadd(${of}, cast(given.amount as int), given.moment)`
        : sql`dateadd(${of}, cast(given.amount % ${text(`${days}`)} as int), dateadd(day, cast(given.amount / ${text(`${days}`)} as int), given.moment))`;
    // The amount is a decimal, which no multiplication overflows. `dateadd` fails outside of the years 1 to 9999.
    const isInside = sql`given.amount between datediff_big(${of}, given.moment, '0001-01-01') and datediff_big(${of}, given.moment, '9999-12-31T23:59:59')`;
    const found = sql`(select case when ${isInside} then ${sum} end from (select ${moment(value)} as moment, try_cast(${amount} as bigint) * cast(${text(`${times}`)} as decimal(5,0)) as amount) as given)`;
    const isDay = kind === 'date' && !['hour', 'minute', 'second'].includes(name);
    return isDay ? sql`cast(${found} as date)` : found;
  },
  // 1 January 1900 was a Monday.
  weekday: (value) => sql`((datediff(day, '19000101', ${value}) % 7 + 7) % 7)`,
  week: (value) => sql`datepart(iso_week, ${value})`,
  monthEnd: (value, months) => sql`eomonth(${mssqlDates.add('date', value, months, 'month')})`,
  format(value, pattern) {
    const pieces = datePieces(pattern).map((piece) =>
      'letters' in piece ? text(letters[piece.letters]) : bound(piece.words),
    );
    const written = sql`concat(${joined([text("N''"), text("N''"), ...pieces], ', ')})`;
    return sql`(select case when given.moment is not null then ${written} end from (select ${moment(value)} as moment) as given)`;
  },
  read(kind, value, { places, monthName }) {
    const type = text(kind === 'date' ? 'date' : 'datetime2(6)');
    // A part of one digit or two needs a regular expression, which SQL Server does not have.
    if (places === undefined) return sql`cast(null as ${type})`;
    let end = 1;
    let like = '';
    const starts = new Map<DatePart, string>();
    for (const place of places) {
      const width = 'words' in place ? place.words.length : place.width;
      if ('words' in place) like += place.words.replace(/[[%_]/g, '[$&]');
      else {
        const isName = place.part === 'month' && monthName !== undefined;
        like += place.part === 'half' ? '[AaPp][Mm]' : (isName ? '[A-Za-z]' : '[0-9]').repeat(width);
        const found = `substring(given.words, ${end}, ${width})`;
        starts.set(place.part, isName ? monthNumber(found) : found);
      }
      end += width;
    }
    const part = (name: DatePart, other = '00') => starts.get(name) ?? `N'${other}'`;
    const half = starts.get('half');
    const time = `${part('hour')}, N':', ${part('minute')}, N':', ${part('second')}`;
    const written = `${part('year')}, N'-', ${part('month', '01')}, N'-', ${part('day', '01')}, N'T', ${time}`;
    const moment = text(`try_convert(datetime2(6), concat(${written}), 126)`);
    const hours = text(
      half === undefined
        ? '0'
        : `case when ${part('hour')} = N'00' or ${part('hour')} > N'12' then null else case upper(${half}) when N'PM' then 12 else 0 end - case ${part('hour')} when N'12' then 12 else 0 end end`,
    );
    const isMeant = sql`given.words like ${bound(like)} and datalength(given.words) = ${text(String(2 * (end - 1)))}`;
    const found = sql`(select case when ${isMeant} then dateadd(hour, ${hours}, ${moment}) end from (select ${binary(value)} as words) as given)`;
    return kind === 'date' ? sql`cast(${found} as date)` : found;
  },
  monthsBetween(left, right) {
    const reached = text('dateadd(month, counted.months, counted.one)');
    const whole = sql`case when counted.one <= counted.other and ${reached} > counted.other then counted.months - 1 when counted.one > counted.other and ${reached} < counted.other then counted.months + 1 else counted.months end`;
    const given = sql`select ${moment(left)} as one, ${moment(right)} as other`;
    return sql`(select ${whole} from (select given.one, given.other, datediff(month, given.one, given.other) as months from (${given}) as given) as counted)`;
  },
  // `datediff_big` counts the starts of seconds between the two, not whole seconds.
  secondsBetween: (left, right) => sql`datediff_big(second, ${left}, ${right})`,
  part: (unit, value) => sql`datepart(${text(unit)}, ${value})`,
  daysBetween: (left, right) => sql`datediff(day, ${left}, ${right})`,
};
