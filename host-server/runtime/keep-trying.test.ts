import { expect, jest, test } from '@jest/globals';
import { keepTrying, keepTryingOnce } from './keep-trying.ts';

test('work that fails is done again, and its failures are told, until it is done', async () => {
  const { signal } = new AbortController();
  const told: unknown[] = [];
  let tries = 0;
  const work = async () => {
    tries += 1;
    if (tries < 3) throw new Error(`try ${tries}`);
  };
  await keepTrying(work, { signal, pause: 1, onError: (error) => told.push(error) });
  expect(tries).toBe(3);
  expect(told).toEqual([new Error('try 1'), new Error('try 2')]);
});

test('work that nobody wants any more is given up', async () => {
  const ending = new AbortController();
  const fails = () => Promise.reject(new Error('no database'));
  const trying = keepTrying(fails, { signal: ending.signal, pause: 60_000, onError: () => ending.abort() });
  await expect(trying).resolves.toBeUndefined();
});

test('work that goes on failing is tried ever more seldom, and at least once in a minute', async () => {
  jest.useFakeTimers();
  const ending = new AbortController();
  let tries = 0;
  const fails = () => Promise.reject(new Error('no database'));
  const trying = keepTrying(fails, { signal: ending.signal, onError: () => (tries += 1) });
  const triesAfter = async (milliseconds: number) => {
    await jest.advanceTimersByTimeAsync(milliseconds);
    return tries;
  };
  expect(await triesAfter(1000)).toBe(2);
  expect(await triesAfter(60_000)).toBe(6);
  expect(await triesAfter(3_600_000)).toBe(66);
  ending.abort();
  await trying;
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

test('work that is wanted again while it fails is tried at once, and by one loop alone', async () => {
  jest.useFakeTimers();
  const ending = new AbortController();
  let tries = 0;
  let isAway = true;
  const work = async () => {
    tries += 1;
    if (isAway) throw new Error('no database');
  };
  const ask = keepTryingOnce(work, { signal: ending.signal, onError: () => undefined });
  for (let asked = 1; asked <= 5; asked += 1) {
    ask();
    await jest.advanceTimersByTimeAsync(0);
    expect([tries, jest.getTimerCount()]).toEqual([asked, 1]);
  }
  await jest.advanceTimersByTimeAsync(1000);
  expect(tries).toBe(6);
  isAway = false;
  ask();
  await jest.advanceTimersByTimeAsync(3_600_000);
  expect([tries, jest.getTimerCount()]).toEqual([7, 0]);
  ending.abort();
  jest.useRealTimers();
});
