import { expect, test } from '@jest/globals';
import { possibleTitles, titlesOfText } from './titles-of-text.ts';

const known = new Set(['Paris', 'Lyon', 'Paris, TX', 'a, b', 'c', 'line\nbreak']);
const read = (text: string) => titlesOfText(text, (title) => known.has(title));

test('A pasted cell names titles between commas or on lines of their own, each once', () => {
  expect(read('Paris, Lyon')).toEqual(['Paris', 'Lyon']);
  expect(read(' Paris \r\nLyon\n\nParis')).toEqual(['Paris', 'Lyon']);
  expect(read(' , ,')).toEqual([]);
});

test('A title may hold commas and line breaks itself', () => {
  expect(read('Paris, TX')).toEqual(['Paris, TX']);
  expect(read('Lyon, Paris, TX, c')).toEqual(['Lyon', 'Paris, TX', 'c']);
  expect(read('a, b, c')).toEqual(['a, b', 'c']);
  expect(read('line\nbreak')).toEqual(['line\nbreak']);
});

test('What is no title is told part by part, beside as many titles as there are', () => {
  expect(read('Pariss, Lyon, TX')).toEqual(['Pariss', 'Lyon', 'TX']);
});

test('Every text that may be a title is asked for', () => {
  expect(possibleTitles('a, b, c')).toEqual(['a, b, c', 'a', 'a, b', 'b', 'b, c', 'c']);
  expect(possibleTitles('  ')).toEqual([]);
});
