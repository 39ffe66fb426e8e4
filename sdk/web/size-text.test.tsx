import { expect, test } from '@jest/globals';
import { sizeText } from './size-text.ts';

test.each([
  ['en', 1_500_000, '1.4 MB'],
  ['de', 1_500_000, '1,4 MB'],
  ['de', 12, '12 B'],
])('a size is written as the language of the page writes numbers: %s', (language, bytes, text) => {
  document.documentElement.lang = language;
  expect(sizeText(bytes)).toBe(text);
});
