import { afterEach, expect, test } from '@jest/globals';
import { editNumber, plainNumber, showNumber, showPercent } from './local-numbers.ts';

afterEach(() => {
  document.documentElement.lang = '';
});

const plainSpaces = (text: string) => text.replace(/\s/g, ' ');

test.each([
  ['de', 1234.5, '1.234,5', '1234,5', '1.234,5 %'],
  ['en', 1234.5, '1,234.5', '1234.5', '1,234.5%'],
  ['fr', -1234567.25, '-1 234 567,25', '-1234567,25', '-1 234 567,25 %'],
  ['tr', 12.5, '12,5', '12,5', '%12,5'],
  [
    'de',
    '12345678901234567890.12345678',
    '12.345.678.901.234.567.890,12345678',
    '12345678901234567890,12345678',
    '12.345.678.901.234.567.890,12345678 %',
  ],
  ['de', 1.5e-25, '1.5e-25', '1.5e-25', '1.5e-25 %'],
  [
    'de',
    '-1.0000000000000000000001',
    '-1.0000000000000000000001',
    '-1.0000000000000000000001',
    '-1.0000000000000000000001 %',
  ],
  ['de', 'left by another type', 'left by another type', 'left by another type', 'left by another type %'],
  ['de', null, '', '', ''],
])('in %s, %p is written as people there do', (language, value, shown, edited, percent) => {
  document.documentElement.lang = language;
  expect([showNumber(value), editNumber(value), showPercent(value)].map(plainSpaces)).toEqual([
    shown,
    edited,
    percent,
  ]);
});

test.each([
  ['de', '1.234,5', '1234.5'],
  ['de', '1.234', '1234'],
  ['de', '1,234', '1.234'],
  ['de', '1234.5', '1234.5'],
  ['de', '0.125', '0.125'],
  ['de', '-12,5', '-12.5'],
  ['de', '1.5', '1.5'],
  ['de', '1,2,3', '1,2,3'],
  ['de', 'much', 'much'],
  ['de', '', ''],
  ['en', '1,234', '1234'],
  ['en', '1,234.5', '1234.5'],
  ['en', '12,5', '12,5'],
  ['fr', '1 234,5', '1234.5'],
  ['fr', '1\u202f234,5', '1234.5'],
  ['sv', '\u22121 234,5', '-1234.5'],
  ['ar-EG', '١٢٣٤٫٥', '1234.5'],
])('in %s, what was typed as %s is %s', (language, text, plain) => {
  document.documentElement.lang = language;
  expect(plainNumber(text)).toBe(plain);
});

test.each(['de', 'en', 'fr', 'tr', 'sv', 'ar-EG', 'hi', 'de-CH'])(
  'in %s, what an editor begins with is read as the same number',
  (language) => {
    document.documentElement.lang = language;
    for (const value of [0, -1, 1234, 1234.5, -0.125, 1234567.125, '0.1234567890123456789'])
      expect([plainNumber(editNumber(value)), plainNumber(showNumber(value))]).toEqual([
        String(value),
        String(value),
      ]);
  },
);
