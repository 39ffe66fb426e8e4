import { expect, test } from '@jest/globals';
import { dayAfter, type DatedColumn } from '@trellis/sdk/web/cards';
import fc from 'fast-check';
import { countsOfDays, keysOfDays } from './use-day-counts.ts';

const span = { start: '2026-03-01', end: '2026-03-11' };
const days = Array.from({ length: 10 }, (_, at) => dayAfter(span.start, at));
const column = (id: string, unit: DatedColumn['unit']): DatedColumn => ({
  id,
  unit,
  isWritten: true,
  show: String,
  read: (shown) => shown.replace('T', ' '),
});

test('days are counted between their beginnings, and what ends as a day begins is of the day before', () => {
  const [from, to] = keysOfDays({ from: column('a', 'time'), to: column('b', 'time') }, span);
  expect(from).toMatchObject({ columnId: 'a', direction: 'asc' });
  expect(from?.bounds?.[0]).toBe('2026-03-02 00:00:00');
  expect(to?.bounds?.at(-1)).toBe('2026-03-10 00:00:01');
  expect(keysOfDays({ from: column('a', 'day') }, span)).toEqual([
    { columnId: 'a', direction: 'asc', bounds: days.slice(1) },
  ]);
});

test('a day has the entries that begin, go on or end on it, also those of ranges that end before they begin', () => {
  const day = fc.integer({ min: 0, max: 9 });
  fc.assert(
    fc.property(fc.array(fc.tuple(day, fc.option(day), fc.integer({ min: 1, max: 5000 }))), (groups) => {
      const counts = countsOfDays(
        groups.map(([first, last, count]) => ({ values: [first, last], count, figures: [] })),
        span,
      );
      expect([...counts]).toEqual(
        days.map((of, at) => {
          const on = groups.filter(([first, last]) => first <= at && at <= Math.max(first, last ?? first));
          return [of, on.reduce((sum, [, , count]) => sum + count, 0)];
        }),
      );
    }),
  );
});
