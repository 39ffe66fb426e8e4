import { describe, expect, test } from '@jest/globals';
import { dayAt, daysOf, dayText } from './days.ts';
import { readDistance, readPeriod, writeDistance, writePeriod } from './periods.ts';

/** A Sunday. */
const today = Date.parse('2026-11-22T00:00:00Z');

describe('a period', () => {
  test.each([
    ['today', '2026-11-22', '2026-11-22'],
    ['yesterday', '2026-11-21', '2026-11-21'],
    ['tomorrow', '2026-11-23', '2026-11-23'],
    ['this week', '2026-11-16', '2026-11-22'],
    ['last week', '2026-11-09', '2026-11-15'],
    ['next week', '2026-11-23', '2026-11-29'],
    ['this month', '2026-11-01', '2026-11-30'],
    ['last month', '2026-10-01', '2026-10-31'],
    ['this quarter', '2026-10-01', '2026-12-31'],
    ['last quarter', '2026-07-01', '2026-09-30'],
    ['next year', '2027-01-01', '2027-12-31'],
    ['last 7 days', '2026-11-15', '2026-11-22'],
    ['next 7 days', '2026-11-22', '2026-11-29'],
    ['last 1 month', '2026-10-22', '2026-11-22'],
    ['next 2 weeks', '2026-11-22', '2026-12-06'],
    ['last 1 year in Europe/Berlin', '2025-11-22', '2026-11-22'],
    ['2024-02-29', '2024-02-29', '2024-02-29'],
  ])('%s is from %s to %s', (text, first, last) => {
    const period = readPeriod(text);
    expect(period && writePeriod(period)).toBe(text);
    expect(period && daysOf(period.of, today).map(dayText)).toEqual([first, last]);
  });

  test.each([
    '',
    'someday',
    'this day',
    'last days',
    '2026-02-30',
    'today in Mars/Olympus',
    'last 99999 days',
  ])('%s is none', (text) => expect(readPeriod(text)).toBeUndefined());

  test('that leads out of the calendar is refused and not turned round', () => {
    const period = readPeriod('last 9999 years');
    expect(() => period && daysOf(period.of, today).map(dayText)).toThrow('reaches beyond');
  });

  test('of months ends on the last day of a shorter one', () => {
    const period = readPeriod('last 1 month');
    expect(period && daysOf(period.of, Date.parse('2026-03-31T00:00:00Z')).map(dayText)).toEqual([
      '2026-02-28',
      '2026-03-31',
    ]);
  });
});

test('today is another day in another zone', () => {
  const moment = Date.parse('2026-11-22T22:30:00Z');
  expect(dayText(dayAt(moment, 'UTC'))).toBe('2026-11-22');
  expect(dayText(dayAt(moment, 'Asia/Tokyo'))).toBe('2026-11-23');
  expect(dayText(dayAt(Date.parse('2026-11-22T03:00:00Z'), 'America/New_York'))).toBe('2026-11-21');
});

test('a distance is read back as it was written', () => {
  expect(readDistance('3 months in Europe/Berlin')).toEqual({
    of: { count: 3, unit: 'month' },
    zone: 'Europe/Berlin',
  });
  for (const text of ['1 day', '30 days', '2 quarters in Asia/Tokyo']) {
    const read = readDistance(text);
    expect(read && writeDistance(read)).toBe(text);
  }
  expect(readDistance('a while')).toBeUndefined();
});
