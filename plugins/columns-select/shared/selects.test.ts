import { expect, test } from '@jest/globals';
import { multiSelect, singleSelect } from './selects.ts';

const often = (...texts: readonly string[]) => Array.from({ length: 12 }, () => texts).flat();

test.each([
  [often('red', 'green', 'red, green'), true],
  [often('red, green', 'green, blue', 'Blue, red'), true],
  // A town and its country, whole sentences, numbers with a decimal comma, and too few to tell.
  [often('Bonn, Germany', 'Rome, Italy'), false],
  [Array.from({ length: 24 }, (_, at) => `Sentence ${at}, and its rest`), false],
  [often('1,5', '2,5', '1,2'), false],
  [['red', 'green', 'red, green'], false],
])('%j are options of which a cell has several: %s', (samples, isSo) => {
  const scores = [multiSelect, singleSelect].map(({ guess }) => guess?.(samples) ?? 0);
  expect((scores[0] ?? 0) > (scores[1] ?? 0)).toBe(isSo);
});
