import { expect, test } from '@jest/globals';
import { likelyTitles, longerTitles, titlesOfText } from './titles-of-text.ts';

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

test('The text and its parts are asked for first, and longer titles only around parts that are none', () => {
  expect(likelyTitles('a, b, c')).toEqual(['a, b, c', 'a', 'b', 'c']);
  expect(likelyTitles('  ')).toEqual([]);
  const longer = (...titles: readonly string[]) => longerTitles('a, b, c', (title) => titles.includes(title));
  expect(longer()).toEqual(['a, b', 'a, b, c', 'b, c']);
  expect(longer('a', 'b')).toEqual(['a, b, c', 'b, c']);
  expect(longer('a', 'b', 'c')).toEqual([]);
  expect(longer('a, b, c')).toEqual([]);
});

test('A title between commas counts before a longer one, whatever other cells name', () => {
  const all = (title: string) => ['a', 'b', 'a, b', 'c'].includes(title);
  expect(titlesOfText('a, b, c', all)).toEqual(['a', 'b', 'c']);
  expect(titlesOfText('a, b', all)).toEqual(['a, b']);
});
