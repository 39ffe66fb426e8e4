import { expect, test } from '@jest/globals';
import { describeEachMetadata } from '../metadata/testing.ts';
import { firstWithin, insertedKeys } from './keys-in-log.ts';
import type { RowChange } from './row-change.ts';
import { createTestLog, loggedTable, rowChange } from './testing.ts';

test('the first number within a range is found by its ends', () => {
  const numbers = [2, 3, 5, 8];
  const found = (first: number, last: number) => firstWithin(numbers, first, last);
  expect([found(2, 2), found(4, 7), found(1, 9), found(8, 20)]).toEqual([0, 2, 0, 3]);
  expect([found(0, 1), found(4, 4), found(6, 7), found(9, 20)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(firstWithin([], 1, 2)).toBeUndefined();
});

test('many rows that were added one by one are found without holding others up', () => {
  const numbers = Array.from({ length: 20_000 }, (_, number) => number);
  const begun = performance.now();
  expect(numbers.filter((number) => firstWithin(numbers, number, number) !== number)).toEqual([]);
  // A look at each number for each of them takes seconds.
  expect(performance.now() - begun).toBeLessThan(500);
});

describeEachMetadata('the rows of which the log tells that they were added', (open) => {
  test('are found by their own keys and within ranges of numbers, and those that were only changed are not', async () => {
    const { metadata, write: record } = await createTestLog(await open());
    const write = (op: RowChange['op'], ...keys: readonly string[]) =>
      record({ table: loggedTable(), changes: keys.map((key) => rowChange(op, key)) });
    const long = 'k'.repeat(300);
    await write('insert', '5', '6', '7');
    await write('insert', '9');
    await write('insert', 'b', long, '30', '20');
    await write('update', '4', 'a', '8');

    const keys = ['4', '5', '6', '7', '8', '9', '10', '20', '30', 'a', 'b', long, `${long}k`, '05', '7'];
    const found = await insertedKeys(metadata, { tableId: 'md_1', keys });
    expect([...found].toSorted()).toEqual(['20', '30', '5', '6', '7', '9', 'b', long].toSorted());
    expect(await insertedKeys(metadata, { tableId: 'md_2', keys })).toEqual(new Set());
    expect(await insertedKeys(metadata, { tableId: 'md_1', keys: [] })).toEqual(new Set());
  });
});
