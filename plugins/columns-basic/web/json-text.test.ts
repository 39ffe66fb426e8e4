import { describe, expect, test } from '@jest/globals';
import { indentJson, jsonProblem } from './json-text.ts';

describe('a text of JSON', () => {
  test('is indented as JSON.stringify does it', () => {
    for (const value of [{ a: [1, { b: 'x, {y}: "z"' }, []], c: {}, d: null }, [], 'text', 12, [[], [1]]])
      expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  });

  test('keeps digits that a number of JavaScript would lose', () => {
    expect(indentJson('{"n":12345678901234567890.10}')).toBe('{\n  "n": 12345678901234567890.10\n}');
  });

  test.each([
    ['{"a": 1,}', 1, 9],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['{"a": tru}', 1, 7],
    ['[1, 2', 1, 6],
  ])('%j is wrong in line %s, column %s', (text, line, column) => {
    const found = jsonProblem(text);
    expect(found?.line).toBe(line);
    // Engines differ by a sign in where a word goes wrong.
    expect(Math.abs((found?.column ?? 0) - column)).toBeLessThan(4);
  });

  test('that is right, and none, have no problem', () => {
    expect(jsonProblem('{"a": [1, "x"]}')).toBeUndefined();
    expect(jsonProblem('  ')).toBeUndefined();
  });
});
