import type { Refusal } from '../refusal.ts';

/** The times that five cron fields describe, by the clock of a time zone. @public */
export interface CronPlan {
  /** Ascending. */
  readonly minutes: readonly number[];
  /** Ascending. */
  readonly hours: readonly number[];
  readonly days: ReadonlySet<number>;
  /** `L`: the last day of the month, in addition to `days`. */
  readonly hasLastDay: boolean;
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** Both the day of the month and the day of the week are limited: then one of the two is enough, as in cron. */
  readonly isEitherDay: boolean;
}

export type CronOutcome =
  { readonly ok: true; readonly plan: CronPlan } | { readonly ok: false; readonly problem: Refusal };

interface Field {
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
  readonly problem: string;
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** Every message about a problem with five cron fields. @public */
export const cronProblems = {
  count:
    'Cron notation has five fields, separated by spaces: minute, hour, day, month, weekday. Here are {{count}}.',
  minute: 'A minute is a number from 0 to 59, and “{{part}}” is none.',
  hour: 'An hour is a number from 0 to 23, and “{{part}}” is none.',
  day: 'A day of the month is a number from 1 to 31, or L for the last one, and “{{part}}” is none.',
  month: 'A month is a number from 1 to 12, or JAN to DEC, and “{{part}}” is none.',
  weekday:
    'A day of the week is a number from 0 (Sunday) to 7 (Sunday), or SUN to SAT, and “{{part}}” is none.',
  backwards: 'The range “{{part}}” runs backwards.',
  step: 'The step of “{{part}}” must be a whole number above 0.',
  never: 'No day is like that: it would never run.',
} as const;

const fields: readonly Field[] = [
  { from: 0, to: 59, problem: cronProblems.minute },
  { from: 0, to: 23, problem: cronProblems.hour },
  { from: 1, to: 31, problem: cronProblems.day },
  { from: 1, to: 12, names: months, problem: cronProblems.month },
  { from: 0, to: 7, names: weekdays, problem: cronProblems.weekday },
];

const shortcuts = new Map([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
]);

/** Stops reading a text at its first mistake. */
class Mistake extends Error {
  readonly problem: Refusal;

  constructor(message: string, params: Refusal['params']) {
    super(message);
    this.problem = { message, params };
  }
}

/**
 * Reads five fields: `*`, numbers, names of months and days of the week, ranges, lists and steps, `L` for the last day of a month, and the
 * shortcuts `@hourly` to `@yearly`.
 */
export function parseCron(text: string): CronOutcome {
  const whole = shortcuts.get(text.trim().toLowerCase()) ?? text.trim();
  const parts = whole.split(/\s+/).filter((part) => part !== '');
  try {
    if (parts.length !== fields.length) throw new Mistake(cronProblems.count, { count: parts.length });
    const [minute = '', hour = '', day = '', month = '', weekday = ''] = parts;
    const dayParts = day.toUpperCase().split(',');
    const numberedDays = dayParts.filter((part) => part !== 'L');
    const plan: CronPlan = {
      minutes: ascending(read(minute, 0)),
      hours: ascending(read(hour, 1)),
      days: numberedDays.length === 0 ? new Set() : read(numberedDays.join(','), 2),
      hasLastDay: dayParts.includes('L'),
      months: read(month, 3),
      weekdays: new Set([...read(weekday, 4)].map((of) => of % 7)),
      isEitherDay: !day.startsWith('*') && !weekday.startsWith('*'),
    };
    if (!canCome(plan)) throw new Mistake(cronProblems.never, {});
    return { ok: true, plan };
  } catch (error) {
    if (error instanceof Mistake) return { ok: false, problem: error.problem };
    throw error;
  }
}

function ascending(values: ReadonlySet<number>): readonly number[] {
  return [...values].sort((a, b) => a - b);
}

function read(text: string, index: number): ReadonlySet<number> {
  const field = fields[index] as Field;
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step, ...rest] = part.split('/');
    if (rest.length > 0 || (step !== undefined && !/^[1-9]\d{0,3}$/.test(step)))
      throw new Mistake(cronProblems.step, { part });
    const [first, last] = boundsOf(range, part, step !== undefined, field);
    for (let value = first; value <= last; value += Number(step ?? 1)) values.add(value);
  }
  return values;
}

function boundsOf(range: string, part: string, hasStep: boolean, field: Field): readonly [number, number] {
  if (range === '*') return [field.from, field.names === weekdays ? 6 : field.to];
  const ends = range.split('-');
  if (ends.length > 2) throw new Mistake(field.problem, { part });
  const [first = 0, last] = ends.map((end) => valueOf(end, part, field));
  if (last === undefined) return [first, hasStep ? field.to : first];
  if (last < first) throw new Mistake(cronProblems.backwards, { part });
  return [first, last];
}

function valueOf(text: string, part: string, { from, to, names, problem }: Field): number {
  const named = names?.indexOf(text.toUpperCase()) ?? -1;
  const value = named >= 0 ? named + from : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= from && value <= to)) throw new Mistake(problem, { part });
  return value;
}

const longestMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether any day of any year matches: the 31st of April never comes. */
function canCome({ days, hasLastDay, months, isEitherDay }: CronPlan): boolean {
  if (hasLastDay || isEitherDay) return true;
  return [...months].some((month) => [...days].some((day) => day <= (longestMonths[month - 1] ?? 0)));
}

/** Whether a day of the calendar matches; months are counted from 1. */
export function isDayOf(plan: CronPlan, year: number, month: number, day: number): boolean {
  if (!plan.months.has(month)) return false;
  const isLast = new Date(Date.UTC(year, month, 0)).getUTCDate() === day;
  const byMonth = plan.days.has(day) || (plan.hasLastDay && isLast);
  const byWeek = plan.weekdays.has(new Date(Date.UTC(year, month - 1, day)).getUTCDay());
  return plan.isEitherDay ? byMonth || byWeek : byMonth && byWeek;
}
