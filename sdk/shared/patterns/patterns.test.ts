import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { automatonOf, takesWhole } from './automaton.ts';
import { parsePattern } from './parse-pattern.ts';

const takes = (pattern: string, text: string) => takesWhole(automatonOf(parsePattern(pattern).root), text);

/** Patterns over few letters, in which ways meet everywhere. */
const patterns = fc.letrec((tie) => ({
  pattern: fc.oneof({ maxDepth: 4 }, tie('letter'), tie('sequence'), tie('choice'), tie('repeat')),
  letter: fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d'),
  sequence: fc.array(tie('pattern'), { minLength: 1, maxLength: 3 }).map((items) => items.join('')),
  choice: fc.array(tie('pattern'), { minLength: 2, maxLength: 3 }).map((items) => `(?:${items.join('|')})`),
  repeat: fc
    .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}'))
    .map(([item, count]) => `(?:${String(item)})${count}`),
}));

describe('patterns that are run on texts of strangers', () => {
  test('take what the same pattern of JavaScript takes', () => {
    fc.assert(
      fc.property(
        patterns.pattern as fc.Arbitrary<string>,
        fc.string({ unit: fc.constantFrom('a', 'b', '1', '\n', '😀'), maxLength: 9 }),
        (pattern, text) => {
          expect([pattern, text, takes(pattern, text)]).toEqual([
            pattern,
            text,
            new RegExp(`^(?:${pattern})$`, 'u').test(text),
          ]);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('take addresses, codes and times as people write them', () => {
    expect(takes('[^@]+@[^@]+\\.[a-z]{2,}', 'ann@example.com')).toBe(true);
    expect(takes('[^@]+@[^@]+\\.[a-z]{2,}', 'ann@example')).toBe(false);
    expect(takes('^(\\d{5}|[A-Z]\\d[A-Z] \\d[A-Z]\\d)$', 'K1A 0B1')).toBe(true);
    expect(takes('([01]\\d|2[0-3]):[0-5]\\d', '24:00')).toBe(false);
  });

  test('are refused where they are too large to be gone through', () => {
    for (const pattern of ['(?:a{100}){6}', '(?:a?){100}(?:a?){100}(?:a?){100}'])
      expect(() => automatonOf(parsePattern(pattern).root)).toThrow('tooLong');
  });
});
