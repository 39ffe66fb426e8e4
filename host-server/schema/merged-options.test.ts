import { describe, expect, test } from '@jest/globals';
import { mergedOptions, OptionsConflict } from './merged-options.ts';

const item = (id: string, title = id) => ({ id, title });
const list = (...options: readonly object[]) => ({ options });

describe('options that two people change at once', () => {
  const before = list(item('a'), item('b'));

  test('hold what both of them added', () => {
    const wanted = list(item('a'), item('b'), item('mine'));
    const now = list(item('a'), item('b'), item('theirs'));
    expect(mergedOptions(before, wanted, now)).toEqual(
      list(item('a'), item('b'), item('theirs'), item('mine')),
    );
  });

  test('are renamed by the one and taken away by the other where these are two things', () => {
    const wanted = list(item('a', 'A'), item('b'));
    expect(mergedOptions(before, wanted, list(item('a')))).toEqual(list(item('a', 'A')));
  });

  test('stand in the order that one of them gave them', () => {
    const wanted = list(item('b'), item('a'));
    const now = list(item('a'), item('b'), item('c'));
    expect(mergedOptions(before, wanted, now)).toEqual(list(item('b'), item('a'), item('c')));
  });

  test('are one thing each where they have no id, and keep what only one of them changed', () => {
    const saw = { symbol: '$', digits: 2, validate: true };
    expect(mergedOptions(saw, { ...saw, symbol: '€' }, { digits: 3, validate: true, symbol: '$' })).toEqual({
      symbol: '€',
      digits: 3,
      validate: true,
    });
    expect(mergedOptions(saw, { symbol: '$', digits: 2 }, { ...saw, digits: 4 })).toEqual({
      symbol: '$',
      digits: 4,
    });
  });

  test('are a conflict where both changed the same thing, and none where they did the same', () => {
    const renamed = (title: string) => list(item('a', title), item('b'));
    expect(() => mergedOptions(before, renamed('x'), renamed('y'))).toThrow(OptionsConflict);
    expect(() => mergedOptions(before, renamed('x'), list(item('b')))).toThrow(OptionsConflict);
    expect(mergedOptions(before, renamed('x'), renamed('x'))).toEqual(renamed('x'));
    expect(() => mergedOptions({ a: 1 }, { a: 2 }, { a: 3 })).toThrow(OptionsConflict);
  });
});
