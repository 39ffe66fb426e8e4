import { expect, test } from '@jest/globals';
import { year } from './year.ts';

test.each([
  [['1999', ' 2024 ', '2026'], true],
  [['1999', '2024', '3100'], false],
  [['1999', '2024', '12'], false],
  [['2024'], false],
])('%j are years: %s', (samples, areYears) => {
  expect((year.guess?.(samples) ?? 0) > 0).toBe(areYears);
});
