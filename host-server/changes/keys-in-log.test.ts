import { expect, test } from '@jest/globals';
import type { TableSchema } from '@trellis/sdk/server';
import { createMetadata } from '../metadata/metadata.ts';
import { describeEachMetadata } from '../metadata/testing.ts';
import { ChangeLog } from './change-log.ts';
import { firstWithin, insertedKeys } from './keys-in-log.ts';
import type { RowChange } from './row-change.ts';

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
    const database = await open();
    const metadata = await createMetadata({ database, pollEvery: 0 });
    const log = new ChangeLog(metadata);
    const table = { id: 'md_1', projectId: 'p_1', baseId: 'ds_1', title: 'Things' } as TableSchema;
    const author = { principal: { id: 'us_1', email: 'ann@example.com' }, requestId: 'r1' };
    const write = (op: RowChange['op'], ...keys: readonly string[]) => {
      const changes = keys.map((rowKey) => ({
        op,
        rowKey,
        before: op === 'insert' ? undefined : { cl_name: 'old' },
        after: { cl_name: 'new' },
      }));
      const { statements } = log.record(log.begin(author), [{ table, changes }]);
      return database.write((unit) => unit.batch(statements));
    };
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
