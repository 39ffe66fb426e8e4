import { expect, test } from '@jest/globals';
import { dialectOf } from '../select-dialect.ts';

const { functions } = dialectOf('mysql');

test('a value that meets a column is bound in the same way whatever its digits: texts of statements are kept for other values', () => {
  const [short, long] = ['1', '1'.repeat(46)];
  const wide = { kind: 'decimal', native: 'decimal(50,4)' } as const;
  for (const value of [short, long, `-${long}.5`])
    expect(functions.value(wide, value).sql).toBe('cast(? as decimal(65,19))');
  const usual = { kind: 'decimal', native: 'decimal(20,2)' } as const;
  expect(functions.value(usual, short).sql).toBe('cast(? as decimal(65,30))');
  // What meets no column has a place for its own digits.
  expect(functions.value({ kind: 'decimal' }, long).sql).toBe('cast(? as decimal(65,19))');
});
