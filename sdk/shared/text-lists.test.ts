import { expect, test } from '@jest/globals';
import { readTextList, writeTextList } from './text-lists.ts';

test.each([
  ['', []],
  ['a, b ,,c', ['a', 'b', 'c']],
  ['"Bonn, Rhine",Rome', ['Bonn, Rhine', 'Rome']],
  ['Rome, "say ""hi"", twice" ', ['Rome', 'say "hi", twice']],
  // Inches, and a quote that never ends, are no quoted parts.
  ['12" disc, 7"', ['12" disc', '7"']],
  ['"open, b', ['"open', 'b']],
  ['"a" b,c', ['"a" b', 'c']],
])('a list in a text %p has these parts', (text, parts) => {
  expect(readTextList(text)).toEqual(parts);
});

test.each([[['plain', 'two words']], [['a, b', 'c']], [['"quoted"', '12"', ' padded ']]])(
  'parts %p are read as they were written',
  (parts) => {
    expect(readTextList(writeTextList(parts))).toEqual(parts);
  },
);
