import { momentAt } from '#plugins/columns-basic/shared';
import type { Comparison, FilterOperator, FilterOperatorInput, Predicate } from '@trellis/sdk/shared';
import { dayAt, daysLater, daysOf, dayText } from './days.ts';
import { readDistance, readPeriod } from './periods.ts';

const oneDay = { count: 1, unit: 'day' } as const;

/** Compares with the start of a day in a zone, or with the day itself if the column holds days. */
function compare(input: FilterOperatorInput, comparison: Comparison, day: number, zone: string): Predicate {
  const text = dayText(day);
  const begins = () => new Date(momentAt(day, zone)).toISOString().slice(0, 19).replace('T', ' ');
  const right = input.literal(input.storage === 'date' ? text : begins());
  return { kind: 'compare', comparison, left: input.column, right };
}

/** The text of a filter. An empty one belongs to an unfinished filter. */
function wordsOf({ value }: FilterOperatorInput): string {
  return typeof value === 'string' ? value : '';
}

function within(input: FilterOperatorInput): Predicate {
  const period = readPeriod(wordsOf(input));
  if (period === undefined)
    throw new RangeError("needs a period such as 'today', 'this month' or 'last 7 days in Europe/Berlin'");
  const [first, last] = daysOf(period.of, dayAt(Date.now(), period.zone));
  return {
    kind: 'and',
    items: [
      compare(input, 'gte', first, period.zone),
      compare(input, 'lt', daysLater(last, oneDay), period.zone),
    ],
  };
}

function distanceFrom(input: FilterOperatorInput, direction: -1 | 1) {
  const distance = readDistance(wordsOf(input));
  if (distance === undefined) throw new RangeError("needs a distance such as '7 days' or '1 month'");
  const { of, zone } = distance;
  const day = daysLater(dayAt(Date.now(), zone), { ...of, count: direction * of.count });
  return { day, zone };
}

function older(input: FilterOperatorInput): Predicate {
  const { day, zone } = distanceFrom(input, -1);
  return compare(input, 'lt', day, zone);
}

function later(input: FilterOperatorInput): Predicate {
  const { day, zone } = distanceFrom(input, 1);
  return compare(input, 'gte', daysLater(day, oneDay), zone);
}

const appliesTo: FilterOperator['appliesTo'] = ({ storage }) => storage === 'date' || storage === 'datetime';
const ofDates = { takes: 'words', arity: 'one', appliesTo } as const;

/** Comparisons with the current day at the time of reading. */
export const dateOperators: readonly FilterOperator[] = [
  { ...ofDates, id: 'within', label: 'is within', build: within },
  { ...ofDates, id: 'older', label: 'is longer ago than', build: older },
  { ...ofDates, id: 'later', label: 'is further ahead than', build: later },
];
