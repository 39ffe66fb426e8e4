import { expect, test } from '@jest/globals';
import { firstWithin } from './keys-in-log.ts';

test('the first number within a range is found by its ends', () => {
  const numbers = [2, 3, 5, 8];
  const found = (first: number, last: number) => firstWithin(numbers, first, last);
  expect([found(2, 2), found(4, 7), found(1, 9), found(8, 20)]).toEqual([0, 2, 0, 3]);
  expect([found(0, 1), found(4, 4), found(6, 7), found(9, 20)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(firstWithin([], 1, 2)).toBeUndefined();
});

test('many rows that were added one by one are found without holding others up', () => {
  const numbers = Array.from({ length: 20_000 }, (_, number) => number);
  const begun = performance.now();
  expect(numbers.filter((number) => firstWithin(numbers, number, number) !== number)).toEqual([]);
  // A look at each number for each of them takes seconds.
  expect(performance.now() - begun).toBeLessThan(500);
});
