import { describe, expect, test } from '@jest/globals';
import { freeName, nameProblem } from './names.ts';

describe('names of tables and columns', () => {
  test('an empty, a forbidden, a long and a taken name are each refused with their own message', () => {
    expect(nameProblem('Table', '  ', [])?.text).toBe('Table name required');
    expect(nameProblem('Column', 'a/b', [])?.text).toBe('Following characters are not allowed . / \\');
    expect(nameProblem('Table', 'x'.repeat(256), [])?.text).toBe('Table name exceeds 255 characters');
    expect(nameProblem('Column', ' title ', ['Title'])?.values).toEqual({ name: 'title' });
  });

  test('a new name of its own is accepted', () => {
    expect(nameProblem('Table', 'Orders 2024 – Österreich', ['Orders'])).toBeUndefined();
  });

  test('a project with strict names takes letters, digits and underscores, and no digit first', () => {
    const strict = { meta: { strictNames: true } };
    expect(nameProblem('Column', 'Größe, in m', [], strict)?.values).toEqual({ characters: 'ö ß ,  ' });
    expect(nameProblem('Column', '2nd', [], strict)?.text).toBe('Name should start with an alphabet or _');
    expect(nameProblem('Table', '_orders_2024', [], strict)).toBeUndefined();
  });

  test('a column that is not named takes the next free name of its type', () => {
    expect(freeName('Number', ['number', 'Number2'])).toBe('Number3');
  });
});
