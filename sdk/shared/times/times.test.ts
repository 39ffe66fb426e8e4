import { describe, expect, test } from '@jest/globals';
import { cronProblems } from './cron.ts';
import { fromCron, nextRuns, readTimePlan, runsBetween, toCron } from './index.ts';

function runs(cron: string, timeZone: string, after: string, count = 3): readonly string[] {
  const read = readTimePlan({ cron, time_zone: timeZone });
  if (!read.ok) throw new Error(read.problem.message);
  return nextRuns(read.plan, read.zone, Date.parse(after), count).map((at) => new Date(at).toISOString());
}

describe('the next runs of a schedule', () => {
  test('come at its times on the clock of its zone', () => {
    expect(runs('0 8 * * 1-5', 'Europe/Berlin', '2026-01-02T07:00:00Z')).toEqual([
      '2026-01-05T07:00:00.000Z',
      '2026-01-06T07:00:00.000Z',
      '2026-01-07T07:00:00.000Z',
    ]);
    expect(runs('*/15 9-10 * * *', 'Asia/Kolkata', '2026-01-01T04:00:00Z', 4)).toEqual([
      '2026-01-01T04:15:00.000Z',
      '2026-01-01T04:30:00.000Z',
      '2026-01-01T04:45:00.000Z',
      '2026-01-01T05:00:00.000Z',
    ]);
    expect(runs('30 0 1 JAN,jul *', 'UTC', '2026-01-01T00:30:00Z', 2)).toEqual([
      '2026-07-01T00:30:00.000Z',
      '2027-01-01T00:30:00.000Z',
    ]);
  });

  test('come on the last day of each month, on leap days, and on either day where two kinds are named', () => {
    expect(runs('0 0 L * *', 'UTC', '2028-01-31T00:00:00Z', 2)).toEqual([
      '2028-02-29T00:00:00.000Z',
      '2028-03-31T00:00:00.000Z',
    ]);
    expect(runs('0 0 29 2 *', 'UTC', '2096-03-01T00:00:00Z', 1)).toEqual(['2104-02-29T00:00:00.000Z']);
    expect(runs('0 0 13 * FRI', 'UTC', '2026-02-10T00:00:00Z', 3)).toEqual([
      '2026-02-13T00:00:00.000Z',
      '2026-02-20T00:00:00.000Z',
      '2026-02-27T00:00:00.000Z',
    ]);
    expect(runs('0 0 * * 7', 'UTC', '2026-02-10T00:00:00Z', 1)).toEqual(['2026-02-15T00:00:00.000Z']);
  });

  test('a time that the clock jumps over runs once, when it jumps, and another day of it is as always', () => {
    expect(runs('30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00:00Z')).toEqual([
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    expect(runs('0,15,30 2 * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z', 2)).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:00:00.000Z',
    ]);
  });

  test('a time that the clock shows twice runs once, at the first', () => {
    expect(runs('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
    // Half an hour back instead of a whole one.
    expect(runs('45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T00:00:00Z', 2)).toEqual([
      '2026-04-04T14:45:00.000Z',
      '2026-04-05T15:15:00.000Z',
    ]);
  });

  test('a schedule for every hour goes by the hours that pass, whatever the clock shows', () => {
    expect(runs('30 * * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z')).toEqual([
      '2026-03-29T00:30:00.000Z',
      '2026-03-29T01:30:00.000Z',
      '2026-03-29T02:30:00.000Z',
    ]);
    expect(runs('30 * * * *', 'Europe/Berlin', '2026-10-25T00:00:00Z')).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:30:00.000Z',
      '2026-10-25T02:30:00.000Z',
    ]);
  });

  test('a midnight that a zone leaves out is the first moment of its day', () => {
    expect(runs('0 0 * * *', 'America/Santiago', '2026-09-05T12:00:00Z', 2)).toEqual([
      '2026-09-06T04:00:00.000Z',
      '2026-09-07T03:00:00.000Z',
    ]);
  });

  test('are found backwards too, the last ones first counted', () => {
    const read = readTimePlan({ cron: '0 * * * *', time_zone: 'UTC' });
    if (!read.ok) throw new Error(read.problem.message);
    const [from, to] = [Date.parse('2026-01-01T22:00:00Z'), Date.parse('2026-01-02T01:20:00Z')];
    const at = (most: number) =>
      runsBetween(read.plan, read.zone, { from, to, most }).map((of) =>
        new Date(of).toISOString().slice(11, 16),
      );
    expect(at(10)).toEqual(['22:00', '23:00', '00:00', '01:00']);
    expect(at(3)).toEqual(['23:00', '00:00', '01:00']);
  });
});

test.each([
  ['* * * *', cronProblems.count, { count: 4 }],
  ['', cronProblems.count, { count: 0 }],
  ['60 * * * *', cronProblems.minute, { part: '60' }],
  ['0 24 * * *', cronProblems.hour, { part: '24' }],
  ['0 0 0 * *', cronProblems.day, { part: '0' }],
  ['0 0 1 FOO *', cronProblems.month, { part: 'FOO' }],
  ['0 0 * * 8', cronProblems.weekday, { part: '8' }],
  ['30-10 * * * *', cronProblems.backwards, { part: '30-10' }],
  ['*/0 * * * *', cronProblems.step, { part: '*/0' }],
  ['0 0 31 4,6 *', cronProblems.never, {}],
  ['constructor', cronProblems.count, { count: 1 }],
  ['__proto__', cronProblems.count, { count: 1 }],
])('%s is refused in words', (cron, message, params) => {
  expect(readTimePlan({ cron, time_zone: 'UTC' })).toEqual({
    ok: false,
    field: 'cron',
    problem: { message, params },
  });
});

test.each(['', 'Mars/Olympus', '+02:00'])('the zone %p is refused', (timeZone) => {
  expect(readTimePlan({ cron: '* * * * *', time_zone: timeZone })).toMatchObject({
    ok: false,
    field: 'time_zone',
  });
});

test.each([
  ['*/15 * * * *', { kind: 'minutes', every: 15 }],
  ['5 * * * *', { kind: 'hourly', minute: 5 }],
  ['5 8 * * *', { kind: 'daily', time: '08:05' }],
  ['0 8 * * 1-5', { kind: 'weekdays', time: '08:00' }],
  ['0 8 * * 1,4', { kind: 'weekly', days: [1, 4], time: '08:00' }],
  ['0 8 1 * *', { kind: 'monthly', day: 1, time: '08:00' }],
  ['0 8 L * *', { kind: 'monthly', day: 'L', time: '08:00' }],
  ['*/7 * * * *', { kind: 'cron', text: '*/7 * * * *' }],
  ['0 8 1 6 *', { kind: 'cron', text: '0 8 1 6 *' }],
] as const)('%s is said in words and back', (cron, plain) => {
  expect(fromCron(cron)).toEqual(plain);
  expect(toCron(fromCron(cron))).toBe(cron);
});
