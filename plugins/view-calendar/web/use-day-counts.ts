import type { GroupKey } from '@trellis/sdk/shared';
import { dayAfter, type DatedColumn, type DateRange, type DaySpan } from '@trellis/sdk/web/cards';
import { useGroupAnswers, type GroupAnswer, type RowsClient } from '@trellis/sdk/web/rows';
import { useMemo } from 'react';

/** The number of each day's entries, by days like `2026-03-29`. */
export type DayCounts = ReadonlyMap<string, number>;

function daysIn({ start, end }: DaySpan): readonly string[] {
  const days: string[] = [];
  for (let day = start; day < end; day = dayAfter(day, 1)) days.push(day);
  return days;
}

/**
 * Groups by the day on which rows begin and, if a column gives it, the day on which they end; rows that begin before the span count
 * for its first day.
 */
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
  // A row that ends exactly when a day begins belongs to the day before.
  return [key(from, '00:00:00'), ...(to === undefined ? [] : [key(to, '00:00:01')])];
}

/** Each group's rows begin on one day and end on another, and count for all days in between. */
export function countsOfDays(groups: readonly GroupAnswer[], span: DaySpan): DayCounts {
  const days = daysIn(span);
  // How many more entries a day has than the one before.
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
  /** Undefined if the numbers are not needed because all entries were read. */
  readonly span: DaySpan | undefined;
}

interface DayCountsRead {
  /** Undefined until known, and if they cannot be counted. */
  readonly counts: DayCounts | undefined;
  readonly error: Error | undefined;
}

/** The number of entries of the visible days, counted by the server, and again when the rows change. */
export function useDayCounts({ rows, range, span }: CountedDays): DayCountsRead {
  const keys = useMemo(() => span && keysOfDays(range, span), [range, span]);
  const { answers, error } = useGroupAnswers(rows, keys);
  const counts = useMemo(() => answers && span && countsOfDays(answers, span), [answers, span]);
  return { counts, error };
}
