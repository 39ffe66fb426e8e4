import { expect, test } from '@jest/globals';
import {
  bandsIn,
  later,
  placeIn,
  startAround,
  startOf,
  ticksIn,
  weekdaysIn,
  windowFrom,
} from './time-scale.ts';
import { movedDays } from './use-bar-drag.ts';

test('a window begins where its day, week, month or quarter does, and the next one follows it', () => {
  expect(startOf('day', '2026-03-29', 1)).toBe('2026-03-29');
  expect([startOf('week', '2026-03-29', 1), startOf('week', '2026-03-29', 0)]).toEqual([
    '2026-03-23',
    '2026-03-29',
  ]);
  expect([startOf('month', '2026-03-29', 1), startOf('quarter', '2026-03-29', 1)]).toEqual([
    '2026-03-01',
    '2026-01-01',
  ]);
  expect(later('month', '2026-11-01', 3)).toBe('2027-02-01');
  const window = windowFrom('quarter', '2026-01-01', true);
  expect(window).toEqual({ start: '2026-01-01', end: '2027-01-01' });
  expect(ticksIn('quarter', window, 'en').map(({ day }) => day)).toEqual([
    '2026-01-01',
    '2026-04-01',
    '2026-07-01',
    '2026-10-01',
  ]);
});

test('months stand over days and weeks, years over months and quarters, as far as they are in sight', () => {
  const labels = (...of: Parameters<typeof bandsIn>) =>
    bandsIn(...of).map(({ start, end, label }) => [start, end, label]);
  expect(labels('day', { start: '2026-12-30', end: '2027-01-03' }, 'en')).toEqual([
    ['2026-12-30', '2027-01-01', 'December 2026'],
    ['2027-01-01', '2027-01-03', 'January 2027'],
  ]);
  expect(labels('quarter', { start: '2026-10-01', end: '2027-04-01' }, 'en')).toEqual([
    ['2026-10-01', '2027-01-01', '2026'],
    ['2027-01-01', '2027-04-01', '2027'],
  ]);
  expect(
    ticksIn('quarter', { start: '2026-10-01', end: '2027-04-01' }, 'en').map(({ label }) =>
      label.replace(/\s/g, ' '),
    ),
  ).toEqual(['Oct – Dec', 'Jan – Mar']);
  expect(weekdaysIn({ start: '2026-03-27', end: '2026-04-05' }, new Set([0, 6]))).toEqual([
    '2026-03-28',
    '2026-03-29',
    '2026-04-04',
  ]);
  expect(startAround('month', '2026-01-20', 1)).toBe('2025-12-01');
});

test('a bar stands on its days, as far as they are in sight', () => {
  const window = { start: '2026-03-01', end: '2026-03-11' };
  expect(placeIn({ start: '2026-03-03', end: '2026-03-05' }, window)).toEqual({ from: 0.2, width: 0.2 });
  expect(placeIn({ start: '2026-02-01', end: '2026-04-01' }, window)).toEqual({ from: 0, width: 1 });
  expect(placeIn({ start: '2026-03-11', end: '2026-03-12' }, window)).toBeUndefined();
});

test('a bar that is moved keeps its length, and one that is stretched lasts a day at least', () => {
  const days = { start: '2026-03-03', end: '2026-03-05' };
  expect(movedDays(days, 'whole', -3)).toEqual({ start: '2026-02-28', end: '2026-03-02' });
  expect(movedDays(days, 'end', -9)).toEqual({ start: '2026-03-03', end: '2026-03-04' });
  expect(movedDays(days, 'start', 9)).toEqual({ start: '2026-03-04', end: '2026-03-05' });
});
