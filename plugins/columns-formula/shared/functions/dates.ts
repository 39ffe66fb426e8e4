import type { Expression } from '@trellis/sdk/shared';
import { arithmetic, call, toText, whole, words, type Typed } from '../typed.ts';
import { momentAt, timeOf, type Moment, type Value } from '../values.ts';
import { argumentOf, quotedText } from '../fit.ts';
import { dateParse } from './read-dates.ts';
import { monthNames } from './month-names.ts';
import { asNumber, called, itemAt, type FormulaFunction, type Parameter } from './define.ts';

const date: Parameter = { name: 'date', takes: 'moment' };
const asMoment = (value: Value | undefined): Moment => value as Moment;
const units = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
type Unit = (typeof units)[number];
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const second = 1000;
const lengths = {
  second,
  minute: 60 * second,
  hour: 3600 * second,
  day: 86_400 * second,
  week: 604_800 * second,
} as const;

const isTimeUnit = (unit: string) => unit === 'second' || unit === 'minute' || unit === 'hour';
const isLengthUnit = (unit: Unit): unit is keyof typeof lengths => unit in lengths;
const monthsIn = (unit: Unit) => ({ quarter: 3, year: 12 })[unit as string] ?? 1;

/** The word of an argument after the check. */
const wordOf = (item: Typed | undefined, other: string): string =>
  typeof item?.literal === 'string' ? item.literal : other;

/** A month after the 31st is the last day of a shorter month. */
function withMonths(time: number, months: number): number {
  const at = new Date(time);
  const first = new Date(at);
  first.setUTCDate(1);
  first.setUTCMonth(at.getUTCMonth() + months);
  const last = new Date(first);
  last.setUTCMonth(first.getUTCMonth() + 1);
  last.setUTCDate(0);
  first.setUTCDate(Math.min(at.getUTCDate(), last.getUTCDate()));
  return first.getTime();
}

function added(moment: Moment, amount: number, unit: Unit): Moment | null {
  const time = timeOf(moment);
  const later = isLengthUnit(unit)
    ? time + amount * lengths[unit]
    : withMonths(time, amount * monthsIn(unit));
  return momentAt(isTimeUnit(unit) ? 'datetime' : moment.kind, later);
}

function datePart(name: string, to: string, summary: string, run: (at: Date) => number): FormulaFunction {
  return called(
    {
      name,
      group: 'Dates',
      parameters: [date],
      result: 'number',
      summary,
      run: ([value]) => run(new Date(timeOf(asMoment(value)))),
    },
    (values) => call(to, ...values),
  );
}

function monthsBetweenValues(left: Moment, right: Moment): number {
  const [a, b] = [new Date(timeOf(left)), new Date(timeOf(right))];
  const inMonth = (at: Date) =>
    at.getUTCDate() * 86_400 + at.getUTCHours() * 3600 + at.getUTCMinutes() * 60 + at.getUTCSeconds();
  const months = (a.getUTCFullYear() - b.getUTCFullYear()) * 12 + a.getUTCMonth() - b.getUTCMonth();
  if (months > 0 && inMonth(a) < inMonth(b)) return months - 1;
  return months < 0 && inMonth(a) > inMonth(b) ? months + 1 : months;
}

const wholeQuotient = (value: Expression, divisor: number): Expression =>
  divisor === 1 ? value : call('ROUNDDOWN', arithmetic('divide', value, whole(divisor)));

function difference(name: string): FormulaFunction {
  return {
    name,
    group: 'Dates',
    parameters: [
      { name: 'date1', takes: 'moment' },
      { name: 'date2', takes: 'moment' },
      { name: 'unit', takes: units, optional: true },
    ],
    result: 'number',
    summary: 'How many whole units date1 is after date2; days without a unit.',
    build(items) {
      const [left, right] = [itemAt(items, 0), itemAt(items, 1)];
      const unit = wordOf(items[2], 'day') as Unit;
      if (!isLengthUnit(unit))
        return wholeQuotient(call('MONTHS_BETWEEN', right.expression, left.expression), monthsIn(unit));
      return wholeQuotient(
        call('SECONDS_BETWEEN', right.expression, left.expression),
        lengths[unit] / second,
      );
    },
    run([left, right, unit]) {
      const [a, b] = [asMoment(left), asMoment(right)];
      const by = (unit ?? 'day') as Unit;
      if (!isLengthUnit(by)) return Math.trunc(monthsBetweenValues(a, b) / monthsIn(by)) + 0;
      const seconds = (of: Moment) => Math.floor(timeOf(of) / second);
      return Math.trunc((seconds(a) - seconds(b)) / (lengths[by] / second)) + 0;
    },
  };
}

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const two = (value: number) => String(value).padStart(2, '0');
const weekdayOf = (at: Date) => (at.getUTCDay() + 6) % 7;
const twelve = (at: Date) => ((at.getUTCHours() + 11) % 12) + 1;

type Write = (at: Date) => string;

/** The letters of date formats, the longest first. */
const formats: readonly (readonly [letters: string, write: Write])[] = [
  ['YYYY', (at) => String(at.getUTCFullYear()).padStart(4, '0')],
  ['YY', (at) => two(at.getUTCFullYear() % 100)],
  ['MMMM', (at) => monthNames[at.getUTCMonth()] ?? ''],
  ['MMM', (at) => (monthNames[at.getUTCMonth()] ?? '').slice(0, 3)],
  ['MM', (at) => two(at.getUTCMonth() + 1)],
  ['M', (at) => String(at.getUTCMonth() + 1)],
  ['DD', (at) => two(at.getUTCDate())],
  ['D', (at) => String(at.getUTCDate())],
  ['dddd', (at) => days[weekdayOf(at)] ?? ''],
  ['ddd', (at) => (days[weekdayOf(at)] ?? '').slice(0, 3)],
  ['HH', (at) => two(at.getUTCHours())],
  ['H', (at) => String(at.getUTCHours())],
  ['hh', (at) => two(twelve(at))],
  ['h', (at) => String(twelve(at))],
  ['mm', (at) => two(at.getUTCMinutes())],
  ['ss', (at) => two(at.getUTCSeconds())],
  ['A', (at) => (at.getUTCHours() < 12 ? 'AM' : 'PM')],
];

/** The parts of a format: functions for its letters, and literal texts. */
function piecesOf(pattern: string): readonly (Write | string)[] {
  const pieces: (Write | string)[] = [];
  let at = 0;
  while (at < pattern.length) {
    const found = formats.find(([letters]) => pattern.startsWith(letters, at));
    pieces.push(found?.[1] ?? pattern.charAt(at));
    at += found?.[0].length ?? 1;
  }
  return pieces;
}

const dateFormat: FormulaFunction = {
  name: 'DATETIME_FORMAT',
  group: 'Dates',
  parameters: [date, { name: 'format', takes: 'text' }],
  result: 'text',
  summary:
    'A date as a text: YYYY, MM, MMM, MMMM, DD, D, ddd, dddd, HH, hh, mm, ss and A stand for its parts.',
  prepare(items) {
    quotedText(itemAt(items, 1), argumentOf('DATETIME_FORMAT', 'format', 1));
    return items;
  },
  build: (items) => call('FORMAT_DATE', itemAt(items, 0).expression, words(wordOf(items[1], ''))),
  run([value, pattern]) {
    const at = new Date(timeOf(asMoment(value)));
    return piecesOf(pattern as string)
      .map((piece) => (typeof piece === 'string' ? piece : piece(at)))
      .join('');
  },
};

/** The week number by ISO 8601: weeks begin on Monday, and the first one contains the fourth of January. */
function weekOf(at: Date): number {
  const thursday = at.getTime() + (3 - weekdayOf(at)) * lengths.day;
  const first = Date.UTC(new Date(thursday).getUTCFullYear(), 0, 1);
  return Math.floor((thursday - first) / lengths.week) + 1;
}

export const dateFunctions: readonly FormulaFunction[] = [
  {
    name: 'NOW',
    group: 'Dates',
    parameters: [],
    result: 'datetime',
    summary: 'This moment, in UTC.',
    build: () => call('NOW'),
    run: (_, { now }) => momentAt('datetime', Math.floor(now / second) * second),
  },
  {
    name: 'TODAY',
    group: 'Dates',
    parameters: [],
    result: 'date',
    summary: 'This day, in UTC.',
    build: () => call('TODAY'),
    run: (_, { now }) => momentAt('date', now),
  },
  {
    name: 'DATEADD',
    group: 'Dates',
    parameters: [date, { name: 'amount', takes: 'whole' }, { name: 'unit', takes: units }],
    result: ([value, , unit]) =>
      value?.kind === 'date' && !isTimeUnit(wordOf(unit, 'day')) ? 'date' : 'datetime',
    summary: 'The date so many days, weeks, months, years, hours, minutes or seconds later.',
    build: (items) =>
      call(
        `ADD_${wordOf(items[2], 'day').toUpperCase()}S`,
        itemAt(items, 0).expression,
        itemAt(items, 1).expression,
      ),
    run: ([value, amount, unit]) => added(asMoment(value), asNumber(amount), unit as Unit),
  },
  difference('DATETIME_DIFF'),
  difference('DATEDIFF'),
  {
    name: 'EOMONTH',
    group: 'Dates',
    parameters: [date, { name: 'months', takes: 'whole', optional: true }],
    result: 'date',
    summary: 'The last day of the month, or of one so many months later.',
    build: (items) => call('MONTH_END', itemAt(items, 0).expression, items[1]?.expression ?? whole(0)),
    run([value, later = 0]) {
      const at = new Date(timeOf(asMoment(value)));
      at.setUTCDate(1);
      const next = momentAt('date', withMonths(at.getTime(), asNumber(later) + 1));
      return next === null ? null : momentAt('date', timeOf(next) - lengths.day);
    },
  },
  {
    name: 'DATESTR',
    group: 'Dates',
    parameters: [date],
    result: 'text',
    summary: 'The day as a text such as 2024-03-01.',
    build: (items) =>
      toText({ ...itemAt(items, 0), kind: 'date', expression: call('DATE', itemAt(items, 0).expression) })
        .expression,
    run: ([value]) => asMoment(value).text.slice(0, 10),
  },
  dateFormat,
  dateParse,
  datePart('YEAR', 'YEAR', 'The year of a date.', (at) => at.getUTCFullYear()),
  {
    name: 'QUARTER',
    group: 'Dates',
    parameters: [date],
    result: 'number',
    summary: 'The quarter of a date, from 1 to 4.',
    build: (items) =>
      call('CEILING', arithmetic('divide', call('MONTH', itemAt(items, 0).expression), whole(3))),
    run: ([value]) => Math.ceil((new Date(timeOf(asMoment(value))).getUTCMonth() + 1) / 3),
  },
  datePart('MONTH', 'MONTH', 'The month of a date, from 1 to 12.', (at) => at.getUTCMonth() + 1),
  datePart('WEEK', 'WEEK', 'The number of the week by ISO 8601.', weekOf),
  datePart('DAY', 'DAY', 'The day of the month.', (at) => at.getUTCDate()),
  datePart('HOUR', 'HOUR', 'The hour of a moment.', (at) => at.getUTCHours()),
  datePart('MINUTE', 'MINUTE', 'The minute of a moment.', (at) => at.getUTCMinutes()),
  datePart('SECOND', 'SECOND', 'The second of a moment.', (at) => at.getUTCSeconds()),
  {
    name: 'WEEKDAY',
    group: 'Dates',
    parameters: [date, { name: 'first', takes: weekdays, optional: true }],
    result: 'number',
    summary: 'The day of the week; Monday, or the first day that is named, is 0.',
    build(items) {
      const day = call('WEEKDAY', itemAt(items, 0).expression);
      const first = weekdays.indexOf(wordOf(items[1], 'monday') as (typeof weekdays)[number]);
      return first === 0 ? day : arithmetic('modulo', arithmetic('add', day, whole(7 - first)), whole(7));
    },
    run: ([value, first = 'monday']) =>
      (weekdayOf(new Date(timeOf(asMoment(value)))) +
        7 -
        weekdays.indexOf(first as (typeof weekdays)[number])) %
      7,
  },
];
