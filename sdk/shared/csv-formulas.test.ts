import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { guardFormula, unguardFormula } from './index.ts';

const invisible = fc.constantFrom(
  ' ',
  '\t',
  '\r',
  '\n',
  '\u00A0',
  '\u200B',
  '\u2060',
  '\uFEFF',
  '\u0007',
  '\u00AD',
);
const sign = fc.constantFrom('=', '+', '-', '@', '＝', '＋', '－', '＠');

test('a formula is guarded behind whatever nobody sees', () => {
  fc.assert(
    fc.property(fc.array(invisible), sign, fc.string(), (hidden, first, rest) => {
      expect(guardFormula([...hidden, first, rest].join(''))).toMatch(/^'/);
    }),
  );
});

test('every text is read back as it was', () => {
  const piece = fc.oneof(invisible, sign, fc.constant("'"), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      expect(unguardFormula(guardFormula(text))).toBe(text);
    }),
  );
});

test('an apostrophe of a text that runs nothing is left alone', () => {
  for (const text of ["'tis", "it's", '', ' plain', "''"]) expect(guardFormula(text)).toBe(text);
});
