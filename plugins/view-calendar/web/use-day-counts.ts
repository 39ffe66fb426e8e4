import type { GroupKey } from '@trellis/sdk/shared';
import { dayAfter, type DatedColumn, type DateRange, type DaySpan } from '@trellis/sdk/web/cards';
import { useGroupAnswers, type GroupAnswer, type RowsClient } from '@trellis/sdk/web/rows';
import { useMemo } from 'react';

/** How many entries each day has, by days as `2026-03-29`. */
export type DayCounts = ReadonlyMap<string, number>;

function daysIn({ start, end }: DaySpan): readonly string[] {
  const days: string[] = [];
  for (let day = start; day < end; day = dayAfter(day, 1)) days.push(day);
  return days;
}

/** By the day on which rows begin, and by the one on which they end, where a column says it: all that begin before the days are of the first. */
export function keysOfDays({ from, to }: DateRange, span: DaySpan): readonly GroupKey[] {
  const later = daysIn(span).slice(1);
  const beginOf = ({ unit, read }: DatedColumn, day: string, time: string) => {
    const value = read(unit === 'day' ? day : `${day}T${time}`);
    return typeof value === 'string' || typeof value === 'number' ? value : day;
  };
  const key = (column: DatedColumn, time: string): GroupKey => ({
    columnId: column.id,
    direction: 'asc',
    bounds: later.map((day) => beginOf(column, day, time)),
  });
  // What ends as a day begins is of the day before.
  return [key(from, '00:00:00'), ...(to === undefined ? [] : [key(to, '00:00:01')])];
}

/** Each group is of rows that begin on the one day and end on the other: they are on all days in between. */
export function countsOfDays(groups: readonly GroupAnswer[], span: DaySpan): DayCounts {
  const days = daysIn(span);
  // How many entries more a day has than the one before it.
  const steps = days.map(() => 0);
  const add = (at: number, count: number) => {
    const step = steps[at];
    if (step !== undefined) steps[at] = step + count;
  };
  for (const { values, count } of groups) {
    const [first, last] = values;
    if (typeof first !== 'number') continue;
    add(first, count);
    add((typeof last === 'number' ? Math.max(first, last) : first) + 1, -count);
  }
  let sum = 0;
  return new Map(days.map((day, at) => [day, (sum += steps[at] ?? 0)]));
}

export interface CountedDays {
  readonly rows: Pick<RowsClient, 'groups' | 'source'>;
  readonly range: DateRange;
  /** Undefined where nobody needs the numbers, since all entries are there. */
  readonly span: DaySpan | undefined;
}

interface DayCountsRead {
  /** Undefined until they are known, and where they cannot be. */
  readonly counts: DayCounts | undefined;
  readonly error: Error | undefined;
}

/** How many entries the days in sight have, counted by the server, and again when the rows change. */
export function useDayCounts({ rows, range, span }: CountedDays): DayCountsRead {
  const keys = useMemo(() => span && keysOfDays(range, span), [range, span]);
  const { answers, error } = useGroupAnswers(rows, keys);
  const counts = useMemo(() => answers && span && countsOfDays(answers, span), [answers, span]);
  return { counts, error };
}
