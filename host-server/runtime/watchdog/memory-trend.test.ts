import { expect, test } from '@jest/globals';
import { MemoryTrend } from './memory-trend.ts';

/** Whether memory of which 100 bytes are there is nearly full after these looks, 80 being nearly full by themselves. */
function isNearFull(...looks: readonly number[]): boolean {
  const trend = new MemoryTrend(100);
  for (const used of looks) trend.add(used);
  return trend.isNearFull(looks.at(-1) ?? 0, 0.8);
}

test('memory is nearly full by what is in use, however it came to that', () => {
  expect([isNearFull(79), isNearFull(80), isNearFull(85, 80)]).toEqual([false, true, true]);
});

test('memory that fills fast is nearly full earlier, and the first look takes nothing for growth', () => {
  expect([isNearFull(55), isNearFull(30, 55), isNearFull(50, 60), isNearFull(30, 49)]).toEqual([
    false,
    true,
    false,
    false,
  ]);
});

test('memory that is freed grows again from there', () => {
  expect([isNearFull(30, 55, 52), isNearFull(55, 20, 60)]).toEqual([false, true]);
});
