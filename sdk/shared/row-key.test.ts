import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatRowKey, parseRowKey } from './row-key.ts';

describe('the text that names a row', () => {
  test('a single key is its own text', () => {
    expect(formatRowKey([42])).toBe('42');
    expect(parseRowKey('a___b', 1)).toEqual(['a___b']);
  });

  test('several keys are joined by three underscores', () => {
    expect(formatRowKey([1, 'de'])).toBe('1___de');
    expect(parseRowKey('1___de', 2)).toEqual(['1', 'de']);
  });

  test('any keys come back as they were', () => {
    const part = fc.string({ unit: fc.constantFrom('_', '%', '2', '5', 'F', 'a', '/', '日') });
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 4 }), (values) => {
        expect(parseRowKey(formatRowKey(values), values.length)).toEqual(values);
      }),
    );
  });

  test('a name with another number of keys names nothing', () => {
    expect(parseRowKey('1___2___3', 2)).toBeUndefined();
  });
});
