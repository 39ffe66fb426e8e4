import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { RefreshPace } from './refresh-pace.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('what others change', () => {
  test('is read soon after a quiet time, ever less often while they go on, and never later than within a second', () => {
    const begun = performance.now();
    const reads: number[] = [];
    const pace = new RefreshPace(() => reads.push(Math.round(performance.now() - begun)));
    for (let times = 0; times < 60; times += 1) {
      pace.soon();
      jest.advanceTimersByTime(50);
    }
    expect(reads).toEqual([120, 370, 870, 1620, 2370]);
    jest.advanceTimersByTime(5000);
    reads.length = 0;
    const later = performance.now() - begun;
    pace.soon();
    jest.advanceTimersByTime(5000);
    expect(reads).toEqual([Math.round(later) + 120]);
  });
});
