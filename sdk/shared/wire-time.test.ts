import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readUtc } from './wire-time.ts';

describe('a moment that somebody names', () => {
  const { TZ } = process.env;
  beforeAll(() => {
    process.env.TZ = 'America/New_York';
  });
  afterAll(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });

  test.each([
    ['2026-03-29', '2026-03-29T00:00:00.000Z'],
    ['2026-03-29 14:30', '2026-03-29T14:30:00.000Z'],
    ['2026-03-29T14:30:05', '2026-03-29T14:30:05.000Z'],
    ['2026-03-29T14:30:05.25Z', '2026-03-29T14:30:05.250Z'],
    ['2026-03-29 14:30:05.123456', '2026-03-29T14:30:05.123Z'],
    ['2026-03-29T01:30:00+02:00', '2026-03-28T23:30:00.000Z'],
    ['2024-02-29T23:59:59-05:00', '2024-03-01T04:59:59.000Z'],
  ])('is read in UTC where it names no zone, wherever the server stands: %s', (text, read) => {
    expect(new Date(readUtc(text) ?? Number.NaN).toISOString()).toBe(read);
  });

  test.each([
    '',
    'tomorrow',
    'March 7, 2026',
    '2026/03/07',
    '2026-3-7',
    '2026-02-30',
    '2026-02-29T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T10:60Z',
    '2026-03-01T::Z',
    '2026-03-01T10',
    '2026-03-01T10:00:00+0200',
    '2026-03-01T10:00:00+99:00',
    '2026-03-01T10:00:00Z ',
  ])('is none where the calendar has no such one, or it is written otherwise: %s', (text) => {
    expect(readUtc(text)).toBeUndefined();
  });
});
